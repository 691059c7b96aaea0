//! An assistant: a named bundle of instructions, phases, tools and limits. Plain data,
//! built once at start.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use serde_json::{Map, Value};

use crate::access::{Principal, Role};
use crate::conversation::Conversation;
use crate::message::Message;
use crate::model::ModelSettings;
use crate::phase::{Phase, PhaseSpec};
use crate::reply::ReplySchema;
use crate::toolbox::Toolbox;
use crate::transcript::{Window, tokens_in};

/// Tokens of an answer that has no limit of its own.
const USUAL_ANSWER: u32 = 1_000;

pub struct Assistant {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// Who may talk to it; empty means everyone signed in.
    pub roles: Vec<Role>,
    /// What the model is told in every phase.
    pub instructions: &'static str,
    /// Empty: the assistant has no phases.
    pub phases: Vec<PhaseSpec>,
    pub toolbox: Toolbox,
    /// Facts that are looked up at the start of each turn.
    pub context: Vec<Arc<dyn ContextLoader>>,
    /// What answers look like where they are more than words.
    pub reply_schema: Option<ReplySchema>,
    pub model: ModelSettings,
    pub limits: Limits,
    /// The first thing a person sees, and what they might ask.
    pub greeting: &'static str,
    pub suggestions: &'static [&'static str],
}

/// Looks up what the model should know before it reads the person's message.
#[async_trait]
pub trait ContextLoader: Send + Sync {
    /// `None` when there is nothing to add. A failure is told in the trace and never
    /// fails the turn.
    async fn load(&self, principal: &Principal, conversation: &Conversation) -> Option<String>;

    /// Whether what is told holds for this turn alone, so that earlier lookups need not be kept in
    /// what the model is sent. For large facts that change.
    fn is_passing(&self) -> bool {
        false
    }

    /// What the person might want next, as far as the conversation has come. Offered after
    /// an answer for which neither a tool nor the model suggested anything.
    fn suggest(&self, conversation: &Conversation) -> Vec<String> {
        let _ = conversation;
        Vec::new()
    }

    /// What this person might ask first, instead of the assistant's own suggestions.
    fn opening(&self, principal: &Principal) -> Vec<&'static str> {
        let _ = principal;
        Vec::new()
    }

    /// What the conversation should remember of a call whose arguments were refused, so that
    /// it can be completed: metadata as a tool keeps it.
    fn incomplete(
        &self,
        conversation: &Conversation,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> Map<String, Value> {
        let _ = (conversation, tool, arguments);
        Map::new()
    }
}

/// What a turn may use.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    pub rounds: u32,
    pub calls_a_round: usize,
    pub turn: Duration,
    pub window: Window,
    pub message: MessageLimit,
    /// Messages per person and minute.
    pub messages_a_minute: u32,
    pub tokens_a_turn: u64,
    pub approvals_a_turn: usize,
}

/// How long a message may be, and in what it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageLimit {
    Characters(usize),
    /// As JavaScript counts, emoji twice.
    Utf16Units(usize),
}

impl MessageLimit {
    pub fn admits(self, text: &str) -> bool {
        match self {
            Self::Characters(max) => text.chars().count() <= max,
            Self::Utf16Units(max) => text.encode_utf16().count() <= max,
        }
    }

    pub fn maximum(self) -> usize {
        match self {
            Self::Characters(max) | Self::Utf16Units(max) => max,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds: 8,
            calls_a_round: 8,
            turn: Duration::from_secs(120),
            window: Window {
                max_messages: 200,
                max_tokens: 24_000,
                last_texts: None,
            },
            message: MessageLimit::Characters(8_000),
            messages_a_minute: 20,
            tokens_a_turn: 200_000,
            approvals_a_turn: 3,
        }
    }
}

impl Assistant {
    /// Stands in for one that is not installed any more: it knows no tool and asks no model.
    pub fn absent() -> Self {
        Self {
            name: "",
            title: "",
            description: "",
            roles: Vec::new(),
            instructions: "",
            phases: Vec::new(),
            toolbox: Toolbox::default(),
            context: Vec::new(),
            reply_schema: None,
            model: ModelSettings {
                model: String::new(),
                temperature: None,
                max_tokens: None,
            },
            limits: Limits::default(),
            greeting: "",
            suggestions: &[],
        }
    }

    /// What this person might ask first.
    pub fn suggestions_for(&self, principal: &Principal) -> Vec<&'static str> {
        let openings = self.context.iter().map(|loader| loader.opening(principal));
        openings
            .into_iter()
            .find(|opening| !opening.is_empty())
            .unwrap_or_else(|| self.suggestions.to_vec())
    }

    /// The phase a conversation starts in.
    pub fn first_phase(&self) -> Phase {
        match self.phases.first() {
            Some(spec) => spec.phase.clone(),
            None => Phase::DEFAULT,
        }
    }

    /// The phase a person means by this name, if there is one.
    pub fn phase(&self, name: &str) -> Option<Phase> {
        self.phases
            .iter()
            .find(|spec| spec.phase.as_str() == name || spec.aliases.contains(&name))
            .map(|spec| spec.phase.clone())
    }

    /// What the model is told first in this phase.
    pub fn system_prompt(&self, phase: &Phase) -> String {
        match self.phases.iter().find(|spec| spec.phase == *phase) {
            Some(spec) if !self.instructions.is_empty() => {
                format!(
                    "{}\n\n{}",
                    self.instructions.trim(),
                    spec.instructions.trim()
                )
            }
            Some(spec) => spec.instructions.trim().to_owned(),
            None => self.instructions.trim().to_owned(),
        }
    }

    /// What a request to the model costs besides the messages, one answer included: an
    /// estimate, from which a budget is reserved.
    pub fn reserve(&self, principal: &Principal, phase: &Phase) -> u64 {
        let told =
            self.system_message(phase).len() + self.toolbox.offer(principal, phase).json.len();
        let answer = self.model.max_tokens.unwrap_or(USUAL_ANSWER);
        u64::from(tokens_in(told)) + u64::from(answer)
    }

    /// The system message in its wire form.
    pub fn system_message(&self, phase: &Phase) -> Bytes {
        let mut prompt = self.system_prompt(phase);
        if let Some(schema) = &self.reply_schema {
            prompt.push_str("\n\n");
            prompt.push_str(&schema.in_words());
        }
        let message = Message::system(prompt);
        Bytes::from(message.to_openai_format().to_string())
    }
}
