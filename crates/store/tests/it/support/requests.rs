//! Values that tests hand to the store and read from it.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::{Identity, Principal, Proof};
use frontdesk_core::event::{Ended, Entry, Event, Finished};
use frontdesk_core::id::{ConversationId, Id, MessageId, ProfileId};
use frontdesk_core::message::Message;
use frontdesk_core::model::Usage;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::phase::Phase;
use frontdesk_core::store::{
    Accepted, Account, Answer, Budget, FinishTurn, IdempotencyKey, NewConversation, OpenTurn,
    Opened, Opening, Profile, RateLimit, Record, StoreError,
};
use frontdesk_core::tool::Effect;
use frontdesk_core::transcript::{Line, LineKind, Window};
use serde_json::{Map, json};
use uuid::Uuid;

use super::Ground;

pub(crate) const WINDOW: Window = Window {
    max_messages: 40,
    max_tokens: 10_000,
    last_texts: None,
};

pub(crate) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_790_000_000, 123_456_000).unwrap() + TimeDelta::seconds(seconds)
}

pub(crate) fn fresh<T>() -> Id<T> {
    Id::from_uuid(Uuid::now_v7())
}

pub(crate) fn account(subject: Uuid, name: &str) -> Account {
    Account {
        subject,
        profile: fresh(),
        name: name.to_owned(),
        email: Some(format!("{name}@example.com")),
        now: at(0),
    }
}

pub(crate) fn new_conversation(now: DateTime<Utc>) -> NewConversation {
    NewConversation {
        key: None,
        id: Id::from_uuid(Uuid::new_v4()),
        assistant: "docs".to_owned(),
        title: "New Conversation".to_owned(),
        company_id: None,
        subject: None,
        phase: Phase::named("discovery"),
        metadata: Map::new(),
        now,
    }
}

pub(crate) fn message_opening(content: &str) -> Opening {
    Opening::Message {
        id: fresh(),
        content: content.to_owned(),
        metadata: Map::new(),
        attachments: Vec::new(),
    }
}

/// A request with a bucket of its own, so that rates matter only where a test says so.
pub(crate) fn say(conversation: ConversationId, content: &str, now: DateTime<Utc>) -> OpenTurn {
    OpenTurn {
        revision: None,
        turn: fresh(),
        conversation,
        opening: message_opening(content),
        key: None,
        rate: RateLimit {
            bucket: format!("own:{}", Uuid::now_v7()),
            max: 20,
            window: Duration::from_secs(60),
        },
        budget: Budget::UNLIMITED,
        in_flight: 1_000,
        window: WINDOW,
        context: vec![Line::context("It is Monday.")],
        file_texts: Vec::new(),
        node: "node-1".to_owned(),
        lease_for: Duration::from_secs(30),
        turn_for: Duration::from_secs(120),
        now,
    }
}

pub(crate) fn key(name: &str, fingerprint: &str) -> IdempotencyKey {
    IdempotencyKey {
        route: "POST /messages".to_owned(),
        key: name.to_owned(),
        fingerprint: fingerprint.to_owned(),
    }
}

pub(crate) fn opened(accepted: Accepted) -> Opened {
    match accepted {
        Accepted::Opened(opened) => *opened,
        Accepted::Replay { turn, .. } => panic!("a replay of {turn} instead of a new turn"),
    }
}

pub(crate) fn answer_line(text: &str) -> Line {
    let message = Message::Assistant {
        content: Some(text.to_owned()),
        tool_calls: Vec::new(),
    };
    Line::new(LineKind::Answer, &message)
}

/// A turn that is answered at once; `position` is that of the last entry before.
pub(crate) fn answered(text: &str, position: u64, now: DateTime<Utc>) -> FinishTurn {
    let id: MessageId = fresh();
    let mut finish = ended(Outcome::Answered, position, now);
    finish.answer = Some(Answer {
        id,
        content: text.to_owned(),
        metadata: Map::from_iter([("tool_calls".to_owned(), json!([]))]),
    });
    finish.lines = vec![answer_line(text)];
    finish
}

pub(crate) fn ended(outcome: Outcome, position: u64, now: DateTime<Utc>) -> FinishTurn {
    let end = Ended {
        outcome: outcome.clone(),
        message: None,
        notice: outcome.notice().map(str::to_owned),
        quick_replies: Vec::new(),
        usage: Usage::default(),
    };
    let event = match outcome {
        Outcome::Answered | Outcome::Refused => Event::TurnCompleted(end),
        Outcome::Cancelled => Event::TurnCancelled(end),
        Outcome::Interrupted => Event::TurnInterrupted(end),
        Outcome::OutOfRounds
        | Outcome::OutOfBudget
        | Outcome::TimedOut
        | Outcome::EmptyAnswer
        | Outcome::CutOff
        | Outcome::ModelFailed { .. } => Event::TurnFailed(end),
    };
    FinishTurn {
        record: Record {
            entries: vec![Entry {
                position: position + 1,
                event,
            }],
            now,
            ..Record::default()
        },
        outcome,
        answer: None,
        lines: Vec::new(),
        usage: Usage::default(),
    }
}

pub(crate) fn delta(position: u64, text: &str) -> Entry {
    Entry {
        position,
        event: Event::TextDelta {
            text: text.to_owned(),
        },
    }
}

pub(crate) fn refused<T>(result: Result<T, StoreError>) -> StoreError {
    match result {
        Ok(_) => panic!("this should have been refused"),
        Err(error) => error,
    }
}

/// The messages of a transcript as JSON, to be compared.
pub(crate) fn texts(opened: &Opened) -> Vec<String> {
    opened
        .history
        .messages()
        .iter()
        .map(|message| message.text().unwrap_or_default().to_owned())
        .collect()
}

pub(crate) fn nobody() -> ProfileId {
    fresh()
}

/// Somebody without roles and companies.
pub(crate) fn principal(profile: &Profile) -> Principal {
    Principal::authenticated(
        Identity {
            subject: profile.user_id,
            profile: profile.id,
            name: profile.display_name.clone(),
            email: profile.email.clone(),
            roles: Default::default(),
            companies: Vec::new(),
            expires: None,
        },
        Proof::Token,
    )
}

pub(crate) fn tool_started(position: u64, call: &str, effect: Effect) -> Entry {
    Entry {
        position,
        event: Event::ToolStarted {
            call_id: call.to_owned(),
            name: "post".to_owned(),
            title: "Post".to_owned(),
            arguments: json!({ "to": "somebody" }),
            effect,
        },
    }
}

pub(crate) fn tool_finished(position: u64, call: &str) -> Entry {
    Entry {
        position,
        event: Event::ToolFinished(Finished {
            call_id: call.to_owned(),
            name: "post".to_owned(),
            ok: true,
            summary: "posted".to_owned(),
            told: "posted".to_owned(),
            result: serde_json::Value::Null,
            files: Vec::new(),
            cards: Vec::new(),
            refused: None,
            error: None,
            duration_ms: 1,
            usage: None,
        }),
    }
}

/// The calls that the audit knows as unknown.
pub(crate) async fn unknown_calls(ground: &Ground) -> Vec<String> {
    let sql = "SELECT call_id, tool FROM audit_log WHERE outcome = 'unknown' ORDER BY id";
    let rows = ground.rows(sql, vec![]).await;
    rows.iter()
        .map(|row| {
            assert_eq!(row.get::<String>("tool").unwrap(), "post");
            row.get("call_id").unwrap()
        })
        .collect()
}
