//! The design's four configuration tests, and the messages for wrong values.

use std::collections::BTreeMap;

use frontdesk_core::setting::SettingKind;

use super::*;

fn settings(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

fn read(pairs: &[(&str, &str)]) -> Config {
    Config::new(&settings(pairs), None).unwrap()
}

fn check_wrong(key: &str, value: &str, says: &str) {
    let error = Config::new(&settings(&[(key, value)]), None).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with(&format!("{key}: ")) && text.contains(says),
        "{text}"
    );
}

// design: 003 unit configuration file
#[test]
fn configuration_is_loaded_from_settings() {
    let config = read(&[
        (BASE_URL, "https://gate.example.com/api/"),
        (TIMEOUT, "12"),
        (MAX_FILE_SIZE, "1048576"),
        (FORMATS, "PNG, jpg"),
        (ENVIRONMENT, "staging"),
        (TIME_ZONE, "Asia/Karachi"),
    ]);
    assert_eq!(config.source.base_url, "https://gate.example.com/api/");
    assert_eq!(config.source.timeout, Timeout(Duration::from_secs(12)));
    assert_eq!(config.max_photo_bytes, 1_048_576);
    assert_eq!(config.photo_formats, [MediaKind::Png, MediaKind::Jpeg]);
    assert_eq!(config.zone, Tz::Asia__Karachi);
    assert_eq!(config.delete_approvers, []);
}

// design: 003 unit configuration environment
#[test]
fn the_environment_decides_how_the_api_may_be_reached() {
    for environment in ["development", "staging", "production"] {
        for address in [
            "https://gate.example.com",
            "http://localhost:8000",
            "http://127.0.0.1:81",
            "http://[::1]:8000",
        ] {
            read(&[(ENVIRONMENT, environment), (BASE_URL, address)]);
        }
    }
    let plain = [(BASE_URL, "http://gate.example.com")];
    read(&plain);
    for environment in ["staging", "production"] {
        let set = [plain[0], (ENVIRONMENT, environment)];
        let error = Config::new(&settings(&set), None).unwrap_err();
        assert!(error.to_string().contains("must be https"), "{error}");
    }
}

#[test]
fn a_deletion_may_need_another_approver() {
    let read = read(&[(DELETE_APPROVER, "HR_User")]);
    assert_eq!(read.delete_approvers, [Role::HR_USER]);
    check_wrong(DELETE_APPROVER, "Boss", "is no role");
}

// design: 003 GatePassAPIClient, unit configuration missing
#[test]
fn missing_configuration_has_the_documented_defaults() {
    let config = read(&[]);
    assert_eq!(config.source.base_url, "http://localhost:8000/");
    assert_eq!(config.source.timeout, Timeout(Duration::from_secs(30)));
    assert_eq!(config.max_photo_bytes, 5_242_880);
    assert_eq!(
        config.photo_formats,
        [MediaKind::Jpeg, MediaKind::Png, MediaKind::Heic]
    );
    assert_eq!(config.zone, Tz::UTC);
    assert_eq!(config.delete_approvers, []);
    let signed = Auth::SignedJwt {
        audience: "gatepass".to_owned(),
    };
    assert_eq!(config.source.auth, signed);
    // An empty value counts as missing, and the bundled API takes precedence over the default.
    let bundled = "http://127.0.0.1:4321/services/gatepass";
    let config = Config::new(&settings(&[(BASE_URL, " "), (TIMEOUT, "")]), Some(bundled)).unwrap();
    assert_eq!(
        (
            config.source.base_url.as_str(),
            config.source.timeout.0.as_secs()
        ),
        (bundled, 30)
    );
    let set = settings(&[(BASE_URL, "https://other.example.com")]);
    let config = Config::new(&set, Some(bundled)).unwrap();
    assert_eq!(config.source.base_url, "https://other.example.com/");
}

// design: 003 unit configuration invalid
#[test]
fn invalid_values_are_named_with_the_allowed_ones() {
    check_wrong(
        BASE_URL,
        "localhost:8000",
        "begins with http:// or https://",
    );
    check_wrong(
        BASE_URL,
        "ftp://gate.example.com",
        "begins with http:// or https://",
    );
    check_wrong(
        BASE_URL,
        "not an address",
        "begins with http:// or https://",
    );
    check_wrong(BASE_URL, "https://gate.example.com?x=1", "query");
    check_wrong(TIMEOUT, "0", "from 1 to 120");
    check_wrong(TIMEOUT, "soon", "from 1 to 120");
    check_wrong(TIMEOUT, "-3", "from 1 to 120");
    check_wrong(MAX_FILE_SIZE, "5 MB", "whole number");
    check_wrong(FORMATS, "jpeg,gif", "\"gif\" is not a kind of photo");
    check_wrong(FORMATS, ",", "at least one");
    check_wrong(
        ENVIRONMENT,
        "Production",
        "development, staging or production",
    );
    check_wrong(TIME_ZONE, "Karachi", "Asia/Karachi");
    let error = Config::new(
        &settings(&[(BASE_URL, "https://me:hunter2@gate.example.com")]),
        None,
    );
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("password") && !text.contains("hunter2"),
        "{text}"
    );
}

#[test]
fn every_setting_is_declared_with_its_well_known_name() {
    let declared: Vec<(&str, Option<&str>)> = SETTINGS.iter().map(|s| (s.key, s.env)).collect();
    assert_eq!(
        declared,
        [
            ("gatepass.api_base_url", Some("API_BASE_URL")),
            ("gatepass.api_timeout", Some("API_TIMEOUT")),
            ("gatepass.max_file_size", Some("MAX_FILE_SIZE")),
            (
                "gatepass.allowed_file_formats",
                Some("ALLOWED_FILE_FORMATS")
            ),
            ("gatepass.environment", Some("ENVIRONMENT")),
            ("gatepass.time_zone", None),
            ("gatepass.delete_approver", None),
            ("gatepass.api_idempotency_keys", None),
            ("gatepass.api_auth", Some("API_AUTH")),
            ("gatepass.api_secret", Some("API_SECRET")),
            ("gatepass.api_user", None),
            ("gatepass.api_key_header", None),
            ("gatepass.api_token_url", None),
        ]
    );
    for setting in SETTINGS {
        let is_secret = setting.kind == SettingKind::Secret;
        assert_eq!(is_secret, setting.key == SECRET, "{}", setting.key);
        assert!(setting.about.ends_with('.'), "{}", setting.key);
    }
}

#[test]
fn only_the_bundled_api_is_known_to_honour_idempotency_keys() {
    let bundled = "http://127.0.0.1:4321/services/gatepass";
    let header = |pairs: &[(&str, &str)]| {
        let config = Config::new(&settings(pairs), Some(bundled)).unwrap();
        config.source.idempotency_header
    };
    let key = Some("Idempotency-Key".to_owned());
    assert_eq!(header(&[]), key);
    assert_eq!(header(&[(KEYS, "no")]), None);
    let foreign = (BASE_URL, "https://other.example.com");
    assert_eq!(header(&[foreign]), None);
    assert_eq!(header(&[foreign, (KEYS, "yes")]), key);
    check_wrong(KEYS, "maybe", "yes or no");
}

#[test]
fn each_sign_in_names_what_it_needs() {
    let auth = |pairs: &[(&str, &str)]| read(pairs).source.auth;
    assert_eq!(auth(&[(AUTH, "none")]), Auth::None {});
    assert_eq!(auth(&[(AUTH, "person")]), Auth::Person {});
    let key = auth(&[(AUTH, "api_key"), (SECRET, "k")]);
    let expected = Auth::ApiKey {
        place: KeyPlace::Header,
        name: "X-Api-Key".to_owned(),
        value: Secret::new("k"),
    };
    assert_eq!(key, expected);
    assert!(format!("{key:?}").contains("[secret]"));
    for (kind, key) in [("bearer", SECRET), ("basic", SECRET), ("oauth2", TOKEN_URL)] {
        let error = Config::new(&settings(&[(AUTH, kind)]), None).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with(&key[..9]) && text.contains("must hold"),
            "{text}"
        );
    }
    check_wrong(AUTH, "magic", "signed, person");
}
