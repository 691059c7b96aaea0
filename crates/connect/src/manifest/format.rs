//! The format of `assistant.toml`. The doc comments are the descriptions in the published schema.

use std::collections::BTreeMap;

use frontdesk_core::tool::Effect;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::mcp::McpSource;
use crate::operation::{Lookup, Parameter, RefusalRule, RequestLine, StateRead};
use crate::response::{Field, ResponseRules};
use crate::source::{Source, Timeout};

/// An assistant without code.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The assistant's name for people, e.g. "Helpdesk".
    pub title: String,
    /// Its purpose, in one sentence.
    #[serde(default)]
    pub description: String,
    /// Its first words on the start page.
    #[serde(default)]
    pub greeting: String,
    /// Roles that may use it; empty: everyone who is signed in. Every role that a manifest names is known.
    #[serde(default)]
    pub roles: Vec<String>,
    /// Calls that must not be possible, e.g. "Requester: close_*" or "*: delete_* unasked". A
    /// manifest that breaks one of its rules is not used.
    #[serde(default)]
    pub never: Vec<String>,
    /// First messages to choose from.
    #[serde(default)]
    pub suggestions: Vec<SuggestionEntry>,
    /// Next messages to suggest after an answer for which neither a tool nor the model suggests any.
    #[serde(default)]
    pub quick_replies: Vec<String>,
    /// People who can sign in with one click in demo mode.
    #[serde(default)]
    pub people: Vec<DemoPerson>,
    #[serde(default)]
    pub model: ModelEntry,
    #[serde(default)]
    pub limits: LimitsEntry,
    /// The phases of a conversation, in order; it begins in the first.
    #[serde(default)]
    pub phases: Vec<PhaseEntry>,
    /// Collections of documents that the assistant searches and cites.
    #[serde(default)]
    pub collections: Vec<String>,
    /// Facts that the model gets at the beginning of each turn.
    #[serde(default)]
    pub context: Vec<ContextEntry>,
    /// JSON Schema of structured answers: an object whose property `message` is the text.
    #[serde(default)]
    pub reply: Option<Value>,
    /// The systems and MCP servers that the tools reach, by name.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, SourceEntry>")]
    pub source: IndexMap<String, SourceEntry>,
    /// The kinds of objects, by the words that tools name as their `object`.
    #[serde(default)]
    pub object: BTreeMap<String, ObjectEntry>,
    /// The tools, by the names that the model sees.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, ToolEntry>")]
    pub tool: IndexMap<String, ToolEntry>,
}

/// A kind of objects.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectEntry {
    /// The fields of results about such objects, unless a tool names its own.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Field>")]
    pub fields: IndexMap<String, Field>,
}

/// A system that tools reach over HTTP, or an MCP server.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SourceEntry {
    Mcp(Box<McpSource>),
    Http(Box<Source>),
}

/// A suggested first message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuggestionEntry {
    pub text: String,
    /// Roles that see it; empty: everyone who may use the assistant.
    #[serde(default)]
    pub roles: Vec<String>,
}

/// A demo person.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DemoPerson {
    /// For `--as`, e.g. "agent".
    pub name: String,
    /// E.g. "Ana Ruiz".
    pub display_name: String,
    pub email: String,
    #[serde(default)]
    pub roles: Vec<String>,
}

/// The model and its parameters; the settings of the installation override them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ModelEntry {
    pub name: String,
    pub temperature: Option<f64>,
    /// The longest answer.
    pub max_tokens: Option<u32>,
}

impl Default for ModelEntry {
    fn default() -> Self {
        Self {
            name: "gpt-4o".to_owned(),
            temperature: Some(0.0),
            max_tokens: Some(1_000),
        }
    }
}

/// Limits; each has a default.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsEntry {
    /// Requests to the model in one turn.
    pub rounds: Option<u32>,
    pub calls_a_round: Option<usize>,
    /// The longest turn.
    pub turn_seconds: Option<u64>,
    pub tokens_a_turn: Option<u64>,
    pub approvals_a_turn: Option<usize>,
    /// The longest message of a person, in characters.
    pub message_characters: Option<usize>,
    /// Per person.
    pub messages_a_minute: Option<u32>,
    /// How much of a conversation the model sees, in tokens.
    pub window_tokens: Option<u32>,
}

/// A phase of a conversation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhaseEntry {
    /// E.g. "triage".
    pub name: String,
    /// When the model moves here, in words. It gets a tool `enter_NAME` for this; without it, only
    /// `moves_to` of a tool leads here.
    #[serde(default)]
    pub when: Option<String>,
    /// Tools that must have succeeded in the conversation before `enter_NAME` is possible.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Added to the instructions in this phase.
    #[serde(default)]
    pub instructions: String,
}

/// Facts loaded with a GET before each turn. They contain no parameters of the model.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextEntry {
    /// A title for the facts, e.g. "The person's open tickets".
    pub title: String,
    /// Can be absent if there is one source.
    #[serde(default)]
    pub source: Option<String>,
    /// A GET, e.g. "GET /people/{email}/tickets".
    pub request: RequestLine,
    /// Each has a `value` or is bound.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Parameter>")]
    pub parameters: IndexMap<String, Parameter>,
    #[serde(default)]
    pub response: ResponseRules,
}

/// A tool: one request of a system, or one tool of an MCP server.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolEntry {
    /// Can be absent if there is one source.
    #[serde(default)]
    pub source: Option<String>,
    /// Method and path, e.g. "GET /tickets/{ticket_id}".
    #[serde(default)]
    pub request: Option<RequestLine>,
    /// The tool's name at its MCP server.
    #[serde(default)]
    pub mcp_tool: Option<String>,
    /// For people, in a few words; by default the name with spaces.
    #[serde(default)]
    pub title: Option<String>,
    /// For the model: what the tool does and when to use it.
    pub description: String,
    /// Label of the confirm button, e.g. "Close the ticket"; by default the title.
    #[serde(default)]
    pub verb: Option<String>,
    /// Label of the decline button, e.g. "Don't close"; by default made from the confirm button.
    #[serde(default)]
    pub decline: Option<String>,
    /// Title of a card with `{argument}` placeholders, e.g. "Close ticket {ticket_id}".
    #[serde(default)]
    pub card_title: Option<String>,
    /// The effect of an approval, in a sentence for people.
    #[serde(default)]
    pub consequence: Option<String>,
    /// Roles that may call it; empty: everyone who may use the assistant.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The phases in which it can be called; empty: all.
    #[serde(default)]
    pub phases: Vec<String>,
    /// Tools that must have succeeded in the conversation before.
    #[serde(default)]
    pub needs: Vec<String>,
    /// By default `read` for a GET or HEAD, else `idempotent` if the source knows idempotency keys,
    /// else `at_most_once`.
    #[serde(default)]
    pub effect: Option<EffectEntry>,
    /// By default `always` for a DELETE and where `approvers` are named, else `unless_ordered`.
    #[serde(default)]
    pub consent: Option<Consent>,
    /// Roles that decide instead of the requester.
    #[serde(default)]
    pub approvers: Vec<String>,
    /// It deletes something permanently. By default true for a DELETE.
    #[serde(default)]
    pub destructive: Option<bool>,
    /// The parameter that names the object to change.
    #[serde(default)]
    pub target: Option<String>,
    /// The parameter for the name of the person who acts. It is always the signed-in person's, so that
    /// card, request and audit agree.
    #[serde(default)]
    pub own_name: Option<String>,
    /// The read tool whose result a card shows to the person who decides. It takes the target.
    #[serde(default)]
    pub preview: Option<String>,
    /// The result in words, with `{field}` placeholders; `{count}` is the length of a list.
    #[serde(default)]
    pub summary: Option<String>,
    /// The phase after a success.
    #[serde(default)]
    pub moves_to: Option<String>,
    /// Next messages to suggest after a success.
    #[serde(default)]
    pub quick_replies: Vec<String>,
    /// Messages that mean this tool. Models see them, and the offline model learns from them.
    #[serde(default)]
    pub examples: Vec<ExampleEntry>,
    /// The longest wait for the whole call, e.g. "45s".
    #[serde(default)]
    pub timeout: Option<Timeout>,
    /// The parameters by the names that the model sees.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Parameter>")]
    pub parameters: IndexMap<String, Parameter>,
    #[serde(default)]
    pub response: ResponseRules,
    /// The kind of object that the request is about, in words: "ticket". Messages about failures name it.
    #[serde(default)]
    pub object: Option<String>,
    /// The parameter by which people know the object; by default that of the path. Empty if its
    /// identifier means nothing to people.
    #[serde(default)]
    pub reference: Option<String>,
    /// The read that tells the object's state after a refusal or an unknown outcome.
    #[serde(default)]
    pub state: Option<StateRead>,
    /// How an object is found by another name than the one that the path takes.
    #[serde(default)]
    pub lookup: Option<Lookup>,
    /// Sentences for refusals that a value of the response identifies.
    #[serde(default)]
    pub refusals: Vec<RefusalRule>,
}

/// The side effects of a call, which determine what happens after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EffectEntry {
    /// No side effects.
    Read,
    /// May run again with the same idempotency key and takes effect once.
    Idempotent,
    /// Must not run again: without a recorded result, its outcome is unknown.
    AtMostOnce,
}

impl From<EffectEntry> for Effect {
    fn from(entry: EffectEntry) -> Self {
        match entry {
            EffectEntry::Read => Effect::Read,
            EffectEntry::Idempotent => Effect::Idempotent,
            EffectEntry::AtMostOnce => Effect::AtMostOnce,
        }
    }
}

/// When a card asks before the call runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Consent {
    /// A write asks unless the person's current message requests it.
    UnlessOrdered,
    Always,
}

/// A message and the arguments that it stands for.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExampleEntry {
    pub say: String,
    #[serde(default)]
    pub arguments: Map<String, Value>,
}
