//! An assistant: instructions, phases, tools and limits. Plain data, built at startup or when its
//! manifest is loaded.

use std::borrow::Cow;
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

/// Tokens reserved for an answer without a limit of its own.
const USUAL_ANSWER: u32 = 1_000;
/// More would not fit a phone.
const MOST_SUGGESTIONS: usize = 6;

pub struct Assistant {
    pub name: Cow<'static, str>,
    pub title: Cow<'static, str>,
    pub description: Cow<'static, str>,
    /// Roles that may use it; empty means everyone signed in.
    pub roles: Vec<Role>,
    /// Part of the system prompt in every phase.
    pub instructions: Cow<'static, str>,
    /// Empty if the assistant has no phases.
    pub phases: Vec<PhaseSpec>,
    pub toolbox: Toolbox,
    /// Facts loaded at the start of each turn.
    pub context: Vec<Arc<dyn ContextLoader>>,
    /// Schema of structured answers.
    pub reply_schema: Option<ReplySchema>,
    pub model: ModelSettings,
    pub limits: Limits,
    /// Shown on the start page, with the suggestions.
    pub greeting: Cow<'static, str>,
    pub suggestions: Vec<Suggestion>,
}

/// A suggested first message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    pub text: Cow<'static, str>,
    /// Roles that see it; empty means everyone who may use the assistant.
    pub roles: Vec<Role>,
}

impl Suggestion {
    /// These texts for everyone.
    pub fn for_all(texts: &[&'static str]) -> Vec<Self> {
        Self::for_roles(&[], texts)
    }

    pub fn for_roles(roles: &[Role], texts: &[&'static str]) -> Vec<Self> {
        let texts = texts.iter().map(|text| Cow::Borrowed(*text));
        texts
            .map(|text| Self {
                text,
                roles: roles.to_vec(),
            })
            .collect()
    }
}

/// Loads facts that the model needs before it reads the person's message.
#[async_trait]
pub trait ContextLoader: Send + Sync {
    /// `None` adds nothing. A failure is traced and never fails the turn.
    async fn load(&self, principal: &Principal, conversation: &Conversation) -> Option<String>;

    /// True for large facts that change: later prompts omit this turn's facts.
    fn is_passing(&self) -> bool {
        false
    }

    /// Whether the facts may contain text of others, and so orders to the model. A loader that
    /// returns `false` must never include such text.
    fn holds_foreign_text(&self) -> bool {
        true
    }

    /// Next messages to suggest after an answer for which neither a tool nor the model suggested
    /// any.
    fn suggest(&self, conversation: &Conversation) -> Vec<String> {
        let _ = conversation;
        Vec::new()
    }

    /// Metadata that the conversation keeps of a call with refused arguments, to complete it later.
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

/// Limits of one turn, except where a name says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    pub rounds: u32,
    pub calls_a_round: usize,
    pub turn: Duration,
    pub window: Window,
    pub message: MessageLimit,
    /// Per person.
    pub messages_a_minute: u32,
    pub tokens_a_turn: u64,
    pub approvals_a_turn: usize,
}

/// The maximum length of a message and its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageLimit {
    Characters(usize),
    /// JavaScript's string length: an emoji counts as two.
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
    /// A placeholder for an uninstalled assistant: no tools and no model.
    pub fn absent() -> Self {
        Self {
            name: Cow::Borrowed(""),
            title: Cow::Borrowed(""),
            description: Cow::Borrowed(""),
            roles: Vec::new(),
            instructions: Cow::Borrowed(""),
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
            greeting: Cow::Borrowed(""),
            suggestions: Vec::new(),
        }
    }

    pub fn suggestions_for(&self, principal: &Principal) -> Vec<&str> {
        let seen = |suggestion: &&Suggestion| principal.holds_any(&suggestion.roles);
        self.suggestions
            .iter()
            .filter(seen)
            .map(|suggestion| suggestion.text.as_ref())
            .take(MOST_SUGGESTIONS)
            .collect()
    }

    /// Every role that the assistant names.
    pub fn roles_named(&self) -> impl Iterator<Item = &Role> {
        let tools = self.toolbox.defs().flat_map(|def| {
            let spec = &def.spec;
            spec.roles.iter().chain(spec.approvers())
        });
        let suggested = self.suggestions.iter().flat_map(|one| &one.roles);
        self.roles.iter().chain(tools).chain(suggested)
    }

    pub fn first_phase(&self) -> Phase {
        match self.phases.first() {
            Some(spec) => spec.phase.clone(),
            None => Phase::DEFAULT,
        }
    }

    /// Finds a phase by a name that a person entered.
    pub fn phase(&self, name: &str) -> Option<Phase> {
        self.phases
            .iter()
            .find(|spec| spec.phase.as_str() == name || spec.aliases.contains(&name))
            .map(|spec| spec.phase.clone())
    }

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

    /// Tokens that a budget reserves for a request besides the messages, one answer included.
    pub fn reserve(&self, principal: &Principal, phase: &Phase) -> u64 {
        let prompt_bytes =
            self.system_message(phase).len() + self.toolbox.offer(principal, phase).json.len();
        let answer = self.model.max_tokens.unwrap_or(USUAL_ANSWER);
        u64::from(tokens_in(prompt_bytes)) + u64::from(answer)
    }

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
