//! Metadata of a conversation, which its owner can write, is read with care.

use chrono::DateTime;
use frontdesk_core::id::{ConversationId, ProfileId};
use frontdesk_core::phase::Phase;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::*;

fn with(metadata: Value) -> Conversation {
    Conversation {
        id: ConversationId::from_uuid(Uuid::nil()),
        user_id: ProfileId::from_uuid(Uuid::nil()),
        company_id: None,
        assistant: "tata".to_owned(),
        subject: None,
        title: String::new(),
        phase: Phase::DEFAULT,
        metadata: metadata.as_object().cloned().unwrap_or_else(Map::new),
        progress: frontdesk_core::conversation::Progress::default(),
        message_count: 0,
        last_message_at: None,
        created_at: DateTime::UNIX_EPOCH,
        updated_at: DateTime::UNIX_EPOCH,
    }
}

#[test]
fn only_what_has_the_right_form_counts() {
    let good = with(
        json!({ "position": " Network\nEngineer ", "language": "sv", "hiring_manager": "Eva\nLind" }),
    );
    assert_eq!(position(&good).as_deref(), Some("Network Engineer"));
    assert_eq!(language(&good), Some(Language::Sv));
    assert_eq!(hiring_manager(&good).as_deref(), Some("Eva Lind"));
    let odd = with(json!({ "position": 7, "language": "fr", "hiring_manager": ["Eva"] }));
    assert_eq!(position(&odd), None);
    assert_eq!(language(&odd), None);
    assert_eq!(hiring_manager(&odd), None);
    let long = with(json!({ "position": "x".repeat(5_000) }));
    assert_eq!(position(&long).map(|p| p.len()), Some(LONGEST_LINE));
}
