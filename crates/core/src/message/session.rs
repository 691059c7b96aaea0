//! A thread in the older function form with its clients' counters, for exchanging whole
//! conversations with programs that use that form.

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::{Uuid, Version};

use super::{FunctionFormError, Message, to_function_form};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    #[error("a session's id is a random UUID (version 4)")]
    Id,
    #[error("the first message is the system prompt, and it is the only one")]
    System,
    #[error("people and the assistant take turns; {0} cannot come next")]
    Order(&'static str),
}

/// A conversation that starts with its system prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct ConversationSession {
    session_id: Uuid,
    messages: Vec<Message>,
    created_at: DateTime<Utc>,
    turn_count: u32,
    retrieval_count: u32,
    pub total_tokens_used: u64,
    /// The function whose results count as retrievals.
    retrieval: &'static str,
}

impl ConversationSession {
    pub fn new(
        session_id: Uuid,
        system_prompt: impl Into<String>,
        created_at: DateTime<Utc>,
        retrieval: &'static str,
    ) -> Result<Self, SessionError> {
        if session_id.get_version() != Some(Version::Random) {
            return Err(SessionError::Id);
        }
        Ok(Self {
            session_id,
            messages: vec![Message::system(system_prompt.into())],
            created_at,
            turn_count: 0,
            retrieval_count: 0,
            total_tokens_used: 0,
            retrieval,
        })
    }

    pub fn session_id(&self) -> Uuid {
        self.session_id
    }

    /// ISO 8601.
    pub fn created_at(&self) -> String {
        self.created_at.to_rfc3339()
    }

    /// Number of user messages.
    pub fn turn_count(&self) -> u32 {
        self.turn_count
    }

    pub fn retrieval_count(&self) -> u32 {
        self.retrieval_count
    }

    /// Appends a message if the order allows it: a call's result comes first, and two user messages
    /// never follow each other.
    pub fn add_message(&mut self, message: Message) -> Result<(), SessionError> {
        let waits_for_result = matches!(self.messages.last(), Some(Message::Assistant { tool_calls, .. }) if !tool_calls.is_empty());
        let after_person = matches!(self.messages.last(), Some(Message::User { .. }));
        let after_result = matches!(self.messages.last(), Some(Message::Tool { .. }));
        match &message {
            Message::System { .. } => return Err(SessionError::System),
            Message::User { .. } if waits_for_result || after_person || after_result => {
                return Err(SessionError::Order("a person's message"));
            }
            Message::Assistant { .. } if !after_person && !after_result => {
                return Err(SessionError::Order("an answer"));
            }
            Message::Tool { .. } if !waits_for_result => {
                return Err(SessionError::Order("a function's result"));
            }
            Message::User { .. } => self.turn_count += 1,
            Message::Tool { name, .. } => {
                let is_retrieval = name.as_deref() == Some(self.retrieval);
                self.retrieval_count += u32::from(is_retrieval);
            }
            Message::Assistant { .. } => {}
        }
        self.messages.push(message);
        Ok(())
    }

    pub fn get_message_history(&self) -> Result<Vec<Value>, FunctionFormError> {
        self.messages.iter().map(to_function_form).collect()
    }

    pub fn get_last_assistant_message(&self) -> Option<&str> {
        self.messages
            .iter()
            .rev()
            .find_map(|message| match message {
                Message::Assistant {
                    content: Some(content),
                    ..
                } if !content.is_empty() => Some(content.as_str()),
                Message::System { .. }
                | Message::User { .. }
                | Message::Assistant { .. }
                | Message::Tool { .. } => None,
            })
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod session_tests;
