//! The format of `assistant.toml`. The doc comments are the descriptions in the published schema.

use std::collections::BTreeMap;

use frontdesk_core::access::Role;
use frontdesk_core::never::Never;
use frontdesk_core::tool::Effect;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value};

use crate::mcp::{McpOperation, McpSource};
use crate::operation::{
    HttpMethod, Lookup, Operation, Parameter, RefusalRule, RequestLine, StateRead,
};
use crate::response::{Field, ResponseRules};
use crate::source::{Source, Timeout};

/// An assistant without code.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The assistant's name for people, e.g. "Helpdesk".
    #[serde(deserialize_with = "not_empty")]
    pub title: String,
    /// Its purpose, in one sentence.
    #[serde(default)]
    pub description: String,
    /// Its first words on the start page.
    #[serde(default)]
    pub greeting: String,
    /// Roles that may use it; empty: everyone who is signed in. Every role that a manifest names is known.
    #[serde(default, deserialize_with = "roles")]
    pub roles: Vec<Role>,
    /// Calls that must not be possible, e.g. "Requester: close_*" or "*: delete_* unasked". A
    /// manifest that breaks one of its rules is not used.
    #[serde(default, deserialize_with = "rules")]
    #[schemars(with = "Vec<String>")]
    pub never: Vec<Never>,
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
    #[serde(default, deserialize_with = "roles")]
    pub roles: Vec<Role>,
}

/// A demo person.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DemoPerson {
    /// For `--as`, e.g. "agent".
    #[serde(deserialize_with = "not_empty")]
    pub name: String,
    /// E.g. "Ana Ruiz".
    pub display_name: String,
    pub email: String,
    #[serde(default, deserialize_with = "roles")]
    pub roles: Vec<Role>,
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
    pub source: Option<String>,
    /// Method and path, e.g. "GET /tickets/{ticket_id}".
    pub request: Option<RequestLine>,
    /// The tool's name at its MCP server.
    pub mcp_tool: Option<String>,
    /// For people, in a few words; by default the name with spaces.
    pub title: Option<String>,
    /// For the model: what the tool does and when to use it.
    pub description: String,
    /// Label of the confirm button, e.g. "Close the ticket"; by default the title.
    pub verb: Option<String>,
    /// Label of the decline button, e.g. "Don't close"; by default made from the confirm button.
    pub decline: Option<String>,
    /// Title of a card with `{argument}` placeholders, e.g. "Close ticket {ticket_id}".
    pub card_title: Option<String>,
    /// The effect of an approval, in a sentence for people.
    pub consequence: Option<String>,
    /// Roles that may call it; empty: everyone who may use the assistant.
    #[serde(default, deserialize_with = "roles")]
    pub roles: Vec<Role>,
    /// The phases in which it can be called; empty: all.
    #[serde(default)]
    pub phases: Vec<String>,
    /// Tools that must have succeeded in the conversation before.
    #[serde(default)]
    pub needs: Vec<String>,
    /// By default `read` for a GET or HEAD, else `idempotent` if the source knows idempotency keys,
    /// else `at_most_once`.
    pub effect: Option<EffectEntry>,
    /// By default `always` for a DELETE and where `approvers` are named, else `unless_ordered`.
    pub consent: Option<Consent>,
    /// Roles that decide instead of the requester.
    #[serde(default, deserialize_with = "roles")]
    pub approvers: Vec<Role>,
    /// It deletes something permanently. By default true for a DELETE.
    pub destructive: Option<bool>,
    /// The parameter that names the object to change.
    pub target: Option<String>,
    /// The parameter for the name of the person who acts. It is always the signed-in person's, so that
    /// card, request and audit agree.
    pub own_name: Option<String>,
    /// The read tool whose result a card shows to the person who decides. It takes the target.
    pub preview: Option<String>,
    /// The result in words, with `{field}` placeholders; `{count}` is the length of a list.
    pub summary: Option<String>,
    /// The phase after a success.
    pub moves_to: Option<String>,
    /// Next messages to suggest after a success.
    #[serde(default)]
    pub quick_replies: Vec<String>,
    /// Messages that mean this tool. Models see them, and the offline model learns from them.
    #[serde(default)]
    pub examples: Vec<ExampleEntry>,
    /// The longest wait for the whole call, e.g. "45s".
    pub timeout: Option<Timeout>,
    /// The parameters by the names that the model sees.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Parameter>")]
    pub parameters: IndexMap<String, Parameter>,
    #[serde(default)]
    pub response: ResponseRules,
    /// The kind of object that the request is about, in words: "ticket". Messages about failures name it.
    pub object: Option<String>,
    /// The parameter by which people know the object; by default that of the path. Empty if its
    /// identifier means nothing to people.
    pub reference: Option<String>,
    /// The read that tells the object's state after a refusal or an unknown outcome.
    pub state: Option<StateRead>,
    /// How an object is found by another name than the one that the path takes.
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

fn not_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    match text.trim() {
        "" => Err(de::Error::custom("must not be empty")),
        text => Ok(text.to_owned()),
    }
}

fn roles<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Role>, D::Error> {
    let is_role = |name: &str| {
        (1..=64).contains(&name.chars().count())
            && name.trim() == name
            && !name.contains(|c: char| c.is_control() || [',', ':', '*'].contains(&c))
    };
    let names = Vec::<String>::deserialize(deserializer)?;
    match names.iter().find(|name| !is_role(name)) {
        Some(name) => Err(de::Error::custom(format_args!(
            "{name:?} cannot be a role: no `,`, `:` or `*`, 1 to 64 characters"
        ))),
        None => Ok(names.into_iter().map(Role::declared).collect()),
    }
}

fn rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Never>, D::Error> {
    let rules = Vec::<String>::deserialize(deserializer)?;
    let rules = rules.iter().map(|rule| rule.parse());
    rules.collect::<Result<_, _>>().map_err(de::Error::custom)
}

impl Manifest {
    /// Gives tools without fields of their own those of their object.
    pub(super) fn inherit_fields(&mut self) {
        for tool in self.tool.values_mut() {
            let named = tool.object.as_ref();
            let object = named.and_then(|name| self.object.get(name));
            if let Some(object) = object.filter(|_| tool.response.fields.is_empty()) {
                tool.response.fields.clone_from(&object.fields);
            }
        }
    }

    /// The source that a tool or facts name, or else the only one.
    pub(super) fn source_of<'a>(&'a self, named: &'a Option<String>) -> Option<&'a str> {
        let only = self.source.keys().next().filter(|_| self.source.len() == 1);
        named.as_ref().or(only).map(String::as_str)
    }
}

impl ToolEntry {
    /// The tool's request; `None` for a tool of an MCP server.
    pub fn operation(&self) -> Option<Operation> {
        Some(Operation {
            request: self.request.clone()?,
            parameters: self.parameters.clone(),
            response: self.response.clone(),
            object: self.object.clone(),
            reference: self.reference.clone(),
            state: self.state.clone(),
            lookup: self.lookup.clone(),
            refusals: self.refusals.clone(),
            summary: self.summary.clone(),
        })
    }

    /// The tool of an MCP server; `None` for a request.
    pub fn mcp_operation(&self) -> Option<McpOperation> {
        Some(McpOperation {
            mcp_tool: self.mcp_tool.clone()?,
            parameters: self.parameters.clone(),
        })
    }

    pub(super) fn method(&self) -> Option<HttpMethod> {
        self.request.as_ref().map(|request| request.method)
    }

    /// The names of the parameters that the model gives.
    pub(super) fn shown(&self) -> impl Iterator<Item = &str> {
        let shown = self.parameters.iter().filter(|(_, p)| p.is_shown());
        shown.map(|(name, _)| name.as_str())
    }
}
