//! Counters and message order of a session in the function form.

use chrono::DateTime;
use proptest::prelude::*;
use serde_json::json;
use uuid::Uuid;

use super::{ConversationSession, SessionError};
use crate::message::{Message, ToolCall};

fn session() -> ConversationSession {
    ConversationSession::new(
        Uuid::new_v4(),
        "You answer from documents.",
        DateTime::UNIX_EPOCH,
        "search_docs",
    )
    .unwrap()
}

fn call() -> Message {
    Message::Assistant {
        content: None,
        tool_calls: vec![ToolCall {
            id: "1".to_owned(),
            name: "search_docs".to_owned(),
            arguments: "{\"query\":\"approvals\"}".to_owned(),
        }],
    }
}

fn result(name: &str) -> Message {
    Message::Tool {
        tool_call_id: "1".to_owned(),
        name: Some(name.to_owned()),
        content: "{}".to_owned(),
    }
}

/// Counts as the design does: user input, function request, function result, answer.
#[test]
fn a_turn_with_a_retrieval_is_counted() {
    let mut session = session();
    assert_eq!(
        (session.turn_count(), session.get_last_assistant_message()),
        (0, None)
    );
    session
        .add_message(Message::user("How do approvals work?"))
        .unwrap();
    session.add_message(call()).unwrap();
    session.add_message(result("search_docs")).unwrap();
    session
        .add_message(Message::assistant("A person decides [1]."))
        .unwrap();
    session.add_message(Message::user("Thanks")).unwrap();
    session.total_tokens_used += 42;
    assert_eq!(
        (
            session.turn_count(),
            session.retrieval_count(),
            session.total_tokens_used
        ),
        (2, 1, 42)
    );
    assert_eq!(
        session.get_last_assistant_message(),
        Some("A person decides [1].")
    );
    assert_eq!(session.created_at(), "1970-01-01T00:00:00+00:00");
    let history = session.get_message_history().unwrap();
    assert_eq!(
        history[0],
        json!({ "role": "system", "content": "You answer from documents." })
    );
    assert_eq!(history[2]["function_call"]["name"], "search_docs");
    assert_eq!(
        (history[3]["role"].as_str(), history[3]["name"].as_str()),
        (Some("function"), Some("search_docs"))
    );
}

#[test]
fn other_functions_are_no_retrievals() {
    let mut session = session();
    session.add_message(Message::user("x")).unwrap();
    session.add_message(call()).unwrap();
    session.add_message(result("other")).unwrap();
    assert_eq!(session.retrieval_count(), 0);
}

#[test]
fn only_a_random_id_names_a_session() {
    for id in [Uuid::nil(), Uuid::now_v7()] {
        let refused = ConversationSession::new(id, "x", DateTime::UNIX_EPOCH, "search_docs");
        assert_eq!(refused, Err(SessionError::Id));
    }
    assert_eq!(session().session_id().get_version_num(), 4);
}

proptest! {
    /// Every thread alternates and starts with the system prompt.
    #[test]
    fn threads_alternate(kinds in prop::collection::vec(0_u8..5, 0..40)) {
        let mut session = session();
        for kind in kinds {
            let message = match kind {
                0 => Message::user("question"),
                1 => Message::assistant("answer"),
                2 => call(),
                3 => result("search_docs"),
                _ => Message::system("again".to_owned()),
            };
            let _ = session.add_message(message);
        }
        let history = session.get_message_history().unwrap();
        prop_assert_eq!(history[0]["role"].as_str(), Some("system"));
        for pair in history.windows(2) {
            let roles = (pair[0]["role"].as_str().unwrap(), pair[1]["role"].as_str().unwrap());
            let calls = pair[0].get("function_call").is_some();
            prop_assert!(match roles {
                ("system", "user") | ("user", "assistant") | ("function", "assistant") => true,
                ("assistant", "user") => !calls,
                ("assistant", "function") => calls,
                _ => false,
            }, "{:?}", roles);
        }
        let users = history.iter().filter(|message| message["role"] == "user").count();
        prop_assert_eq!(session.turn_count() as usize, users);
    }
}
