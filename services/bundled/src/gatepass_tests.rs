//! Settings of the bundled Gate Pass API: complete, partial and wrong ones.

use super::*;

fn values(pairs: &[(&str, &str)]) -> Values {
    let pairs = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).into()));
    pairs.collect()
}

const WHOLE: [(&str, &str); 5] = [
    (ENDPOINT, "https://s3.example.com/"),
    (REGION, "eu-central-1"),
    (BUCKET, "photos"),
    (ACCESS_KEY, "AKIA"),
    (SECRET_KEY, "canary-secret"),
];

#[test]
fn photos_live_in_the_data_folder_unless_a_bucket_is_set() {
    assert!(bucket(&values(&[])).unwrap().is_none());
    assert!(bucket(&values(&[(REGION, "us-east-1")])).unwrap().is_none());
    let set = bucket(&values(&WHOLE)).unwrap().unwrap();
    assert_eq!(set.endpoint, "https://s3.example.com");
    assert_eq!((set.name.as_str(), set.allow_http), ("photos", false));
    assert!(!format!("{set:?}").contains("canary"), "{set:?}");
}

#[test]
fn a_partial_bucket_is_an_error_that_names_the_missing_setting() {
    for missing in [ENDPOINT, REGION, BUCKET, ACCESS_KEY, SECRET_KEY] {
        let rest: Vec<_> = WHOLE
            .into_iter()
            .filter(|(key, _)| *key != missing)
            .collect();
        let error = bucket(&values(&rest)).unwrap_err().to_string();
        assert!(error.contains(missing), "{missing}: {error}");
    }
    for (endpoint, good) in [
        ("http://s3.example.com", false),
        ("s3.example.com", false),
        ("http://127.0.0.1:9000", true),
        ("http://localhost:9000", true),
    ] {
        let mut pairs = WHOLE;
        pairs[0] = (ENDPOINT, endpoint);
        assert_eq!(bucket(&values(&pairs)).is_ok(), good, "{endpoint}");
    }
}

#[test]
fn missing_scripts_are_reported_with_the_fix() {
    let script = |script, covered| ScriptCoverage { script, covered };
    assert_eq!(
        report(&[script("Latin", true), script("Greek", true)], "./fonts"),
        "prints Latin, Greek"
    );
    assert_eq!(
        report(&[script("Latin", true), script("Korean", false)], "./fonts"),
        "prints Latin; no font for Korean: `scripts/setup fonts` installs Chinese, Japanese and Korean, and any font in ./fonts is used"
    );
}
