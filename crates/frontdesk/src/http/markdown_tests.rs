//! Artifacts exported as Markdown.

use chrono::DateTime;
use frontdesk_core::artifact::{Artifact, ArtifactStatus};
use frontdesk_core::id::{ArtifactId, ConversationId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::of;

#[track_caller]
fn check(content: Value, expected: &str) {
    let artifact = Artifact {
        id: ArtifactId::from_uuid(Uuid::nil()),
        conversation: ConversationId::from_uuid(Uuid::nil()),
        kind: "plan".to_owned(),
        key: String::new(),
        version: 1,
        status: ArtifactStatus::Draft,
        title: "Plan\nB".to_owned(),
        content,
        built_from: Vec::new(),
        author: None,
        created_at: DateTime::UNIX_EPOCH,
    };
    assert_eq!(of(&artifact), expected);
}

#[test]
fn a_document_is_rendered_as_markdown() {
    check(json!("Just text."), "# Plan B\n\nJust text.\n");
    check(
        json!({ "markdown": "*Own* words.\n" }),
        "# Plan B\n\n*Own* words.\n",
    );
    check(
        json!({
            "must_have": ["Rust", "Patience"],
            "empty": "",
            "pay": { "from": 10, "to": null, "fixed": true },
            "people": [{ "name": "Ann", "skills": ["a", "b"] }],
        }),
        "# Plan B\n\n## Must have\n\n- Rust\n- Patience\n\n## Pay\n\n### From\n\n10\n\n### Fixed\n\nyes\n\n## People\n\n- **Name**: Ann; **Skills**: a, b\n",
    );
}
