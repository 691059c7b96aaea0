//! Each rule on documents reports exactly its own violations.

use serde_json::json;

use super::*;

fn made() -> SavedDocument {
    SavedDocument {
        kind: "job_ad".to_owned(),
        text: "# Payroll specialist\n\nYou run the payroll of a company with people who care about it, for at least 3 years."
            .to_owned(),
        content: json!({ "sections": [{ "items": [{ "quote": "run payroll", "source": "notes" }] }] }),
    }
}

fn found(expected: &str) -> Vec<String> {
    let expected: ExpectedDocument = toml::from_str(expected).unwrap();
    problems(
        &[expected],
        &[made()],
        &["She has run payroll alone.".to_owned()],
    )
}

#[test]
fn a_good_document_has_no_problems() {
    let expected = "kind = \"job_ad\"\nhas = [\"three years|3 years\"]\nlacks = [\"burned\"]\nquotes = true\n\
                    language = \"en\"\nfewest_words = 5\nmost_words = 50";
    assert_eq!(found(expected), [] as [&str; 0]);
}

#[test]
fn each_rule_can_be_broken() {
    for (rule, problem) in [
        ("has = [\"Swedish\"]", "job_ad: lacks \"Swedish\""),
        ("lacks = [\"payroll\"]", "job_ad: has \"payroll\""),
        ("fewest_words = 500", "job_ad: has 21 words"),
        ("most_words = 3", "job_ad: has 21 words"),
        ("language = \"sv\"", "job_ad: is in en, not in sv"),
    ] {
        assert_eq!(found(&format!("kind = \"job_ad\"\n{rule}")), [problem]);
    }
    assert_eq!(
        found("kind = \"di_review\""),
        ["no document of kind di_review was created"]
    );
}

#[test]
fn an_invented_quote_is_found() {
    let mut document = made();
    document.content = json!([{ "quote": "runs the bank", "source": "notes" }]);
    let expected: ExpectedDocument = toml::from_str("kind = \"job_ad\"\nquotes = true").unwrap();
    let found = problems(
        &[expected],
        &[document],
        &["She has run payroll.".to_owned()],
    );
    assert_eq!(
        found,
        ["job_ad: quotes \"runs the bank\", which is not in the person's text"]
    );
}
