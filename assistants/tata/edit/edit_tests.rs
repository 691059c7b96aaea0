//! A person changes a document: a new version of the same series.

use chrono::DateTime;
use frontdesk_core::artifact::BuiltFrom;
use frontdesk_core::id::{ArtifactId, ConversationId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::document::Item;
use crate::language::Language;

fn artifact(kind: &str, document: &Document) -> Artifact {
    Artifact {
        id: ArtifactId::from_uuid(Uuid::nil()),
        conversation: ConversationId::from_uuid(Uuid::nil()),
        kind: kind.to_owned(),
        key: "key".to_owned(),
        version: 2,
        status: ArtifactStatus::Confirmed,
        title: document.title.clone(),
        content: serde_json::to_value(document).unwrap(),
        built_from: vec![BuiltFrom {
            kind: "requirement_profile".into(),
            key: String::new(),
            version: 1,
        }],
        author: None,
        created_at: DateTime::UNIX_EPOCH,
    }
}

fn report(language: Language) -> Document {
    let mut document = Document::new("Candidate report: Anna", language, MadeWith::Model);
    recommendation::set(&mut document, None);
    document.items("must_haves", vec![Item::labelled("Excel", "Daily.")]);
    document.notes.push("Left out".into());
    document
}

fn fields(value: Value) -> ArtifactEdit {
    ArtifactEdit::Fields(value.as_object().cloned().unwrap())
}

fn read(new: &NewArtifact) -> Document {
    serde_json::from_value(new.content.clone()).unwrap()
}

#[test]
fn a_changed_profile_is_a_draft_again_and_its_author_a_person() {
    let mut profile = Document::new("Profile", Language::En, MadeWith::Fallback);
    profile.items("team", vec![Item::new("5 people")]);
    let old = artifact("requirement_profile", &profile);
    let text = profile.to_markdown().replace("5 people", "9 people");
    let new = edit(&old, ArtifactEdit::Text(text)).unwrap();
    assert_eq!(new.status, ArtifactStatus::Draft);
    assert_eq!(
        (new.kind.as_str(), new.key.as_str()),
        ("requirement_profile", "key")
    );
    let document = read(&new);
    assert_eq!(document.made_with, MadeWith::Person);
    assert!(document.to_markdown().contains("9 people"));
    assert!(!document.to_markdown().contains("without a language model"));
}

#[test]
fn the_recommendation_is_set_in_either_way() {
    for language in Language::ALL {
        let old = artifact("candidate_reports", &report(language));
        for value in [
            "recommended",
            "recommended_with_reservations",
            "not_recommended",
        ] {
            let new = edit(&old, fields(json!({ "recommendation": value }))).unwrap();
            let document = read(&new);
            assert_eq!(document.fields["recommendation"], value);
            assert_eq!(new.built_from, old.built_from);
            assert_eq!(
                new.status,
                ArtifactStatus::Draft,
                "nobody confirms a report"
            );
            assert!(document.notes.is_empty());
            // The words of the document say the same, and set the field when they are typed.
            let shown = document.to_markdown();
            let typed = edit(&old, ArtifactEdit::Text(shown)).unwrap();
            assert_eq!(read(&typed).fields["recommendation"], value, "{language:?}");
            let cleared = edit(
                &artifact("candidate_reports", &document),
                fields(json!({ "recommendation": null })),
            );
            assert_eq!(
                read(&cleared.unwrap()).fields["recommendation"],
                Value::Null
            );
        }
    }
}

#[test]
fn what_cannot_be_set_is_refused_by_name() {
    let old = artifact("candidate_reports", &report(Language::En));
    let refused = |edit_with| edit(&old, edit_with).unwrap_err();
    assert!(refused(fields(json!({ "salary": 1 }))).contains("`salary`"));
    assert!(refused(fields(json!({ "recommendation": "maybe" }))).contains("not_recommended"));
    assert!(refused(fields(json!({ "recommendation": null }))).contains("Nothing was changed"));
    assert!(refused(ArtifactEdit::Text(" ".into())).contains("empty"));
    let ad = artifact("job_ad", &report(Language::En));
    let told = edit(&ad, fields(json!({ "recommendation": "recommended" }))).unwrap_err();
    assert!(told.contains("`recommendation`"));
    let foreign = Artifact {
        content: json!({ "headline": "old form" }),
        ..ad
    };
    assert!(
        edit(&foreign, ArtifactEdit::Text("x".into()))
            .unwrap_err()
            .contains("older form")
    );
}
