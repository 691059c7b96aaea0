//! Results as text, and phrases in every language.

use serde_json::json;

use super::*;

fn rendered(result: &str) -> String {
    let call = CallRecord {
        id: "1".to_owned(),
        name: "look".to_owned(),
        arguments: Map::new(),
        result: Some(result.to_owned()),
    };
    let dialogue = Dialogue {
        done: vec![call],
        ..Dialogue::default()
    };
    results(&[], &dialogue, Language::English)
}

#[test]
fn a_list_of_things_becomes_a_table() {
    let rows = json!({ "items": [{ "number": "A-1", "status": "open" }, { "number": "A-2", "status": "shut" }] });
    let text = rendered(&rows.to_string());
    assert!(text.contains("| Number | Status |"), "{text}");
    assert!(text.contains("| A-2 | shut |"), "{text}");
}

#[test]
fn errors_rejections_and_empty_results_are_sentences() {
    assert_eq!(
        rendered("Error: No such pass"),
        "That did not work: No such pass"
    );
    let rejected = format!("Error: Create a pass{DECLINED}");
    assert!(is_rejection(&rejected));
    assert_eq!(rendered(&rejected), phrase(Language::English, "rejected"));
    assert_eq!(rendered("[]"), "Nothing was found.");
    assert_eq!(rendered("null"), "Done.");
    let none = r#"{"query":"x","results":[]}"#;
    assert_eq!(rendered(none), "I did not find this in the documents.");
}

#[test]
fn the_summary_of_a_tool_comes_first() {
    let mut dialogue = Dialogue::default();
    dialogue.done.push(CallRecord {
        id: "1".to_owned(),
        name: "look".to_owned(),
        arguments: Map::new(),
        result: Some("{}".to_owned()),
    });
    let summary = CallSummary {
        call_id: "1".to_owned(),
        name: "look".to_owned(),
        ok: true,
        summary: "Found A-1.".to_owned(),
    };
    assert_eq!(
        results(&[summary], &dialogue, Language::German),
        "Found A-1."
    );
}

#[test]
fn text_of_others_means_nothing_to_markdown() {
    let value = json!("[x](https://evil) | <b>");
    assert_eq!(
        plain(&value, Language::English),
        r"\[x\](https://evil) \| \<b>"
    );
}

#[test]
fn every_language_has_every_phrase() {
    let english = phrases::keys(Language::English);
    assert!(english.len() > 15);
    for language in Language::ALL {
        assert_eq!(phrases::keys(language), english, "{language:?}");
        for (key, part) in [
            ("missing", "{title}"),
            ("other_role", "{roles}"),
            ("other_role", "{title}"),
            ("other_phase", "{phase}"),
            ("failed", "{message}"),
            ("found", "{count}"),
        ] {
            assert!(phrase(language, key).contains(part), "{language:?} {key}");
        }
    }
}
