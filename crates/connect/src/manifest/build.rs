//! Turns a manifest into an assistant and checks everything that its parts say about each other.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::assistant::{Assistant, ContextLoader, Limits, MessageLimit, Suggestion};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::env::Env;
use frontdesk_core::model::ModelSettings;
use frontdesk_core::persona::Persona;
use frontdesk_core::phase::PhaseSpec;
use frontdesk_core::reply::ReplySchema;
use frontdesk_core::search::Search;
use frontdesk_core::tool::ToolDef;
use frontdesk_core::toolbox::{RunByData, Toolbox, ToolboxError};
use indexmap::IndexMap;

use super::context::FactLoader;
use super::error::{ManifestError, Problem, at, unknown};
use super::folder::ManifestFolder;
use super::format::{ContextEntry, LimitsEntry, Manifest, SourceEntry, ToolEntry};
use super::read::{parse, read};
use super::{documents, phases, tools, warnings};
use crate::auth::TokenSources;
use crate::client::{HttpSource, SourceError};
use crate::mcp::McpClient;
use crate::operation::{HttpMethod, Operation};
use crate::tool::HttpTool;

/// Looks up the value of `${NAME}`.
pub type Variables = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// The server's parts that manifests need.
pub struct SetUp {
    pub env: Arc<dyn Env>,
    pub tokens: TokenSources,
    pub search: Arc<dyn Search>,
    /// The environment that programs of MCP servers get: PATH and the like.
    pub inherited: BTreeMap<String, String>,
    pub variables: Variables,
    /// The model that the settings name for every assistant.
    pub model: Option<String>,
}

/// An assistant that a manifest defines.
pub struct ManifestAssistant {
    pub assistant: Arc<Assistant>,
    pub manifest: Manifest,
    pub folder: PathBuf,
    pub people: Vec<Persona>,
    /// Doubts that do not prevent its use.
    pub warnings: Vec<ManifestError>,
    pub sources: IndexMap<String, SourceClient>,
}

/// The client of a source.
pub enum SourceClient {
    Http(Arc<HttpSource>),
    Mcp(Arc<McpClient>),
}

impl ManifestAssistant {
    /// The sentences of `compare` about each tool of a source, with the tool's key in the manifest.
    pub fn drift(&self, source: &str, compare: impl Fn(&ToolEntry) -> Vec<String>) -> Vec<String> {
        let all = self.manifest.tool.iter();
        let own = all.filter(|(_, tool)| self.manifest.source_of(&tool.source) == Some(source));
        let sentences = own.flat_map(|(key, tool)| {
            let found = compare(tool).into_iter();
            found.map(move |sentence| format!("`tool.{key}`: {sentence}"))
        });
        sentences.collect()
    }
}

/// The additions of code to a manifest that it embeds.
pub struct Extension<'a> {
    /// Inserts the settings of the installation.
    pub adapt: &'a dyn Fn(&mut Manifest),
    /// Runs a tool over HTTP, whose declaration it may complete.
    pub runner: &'a dyn Fn(&mut ToolDef, HttpTool) -> Arc<dyn RunByData>,
}

/// A manifest and the clients of its sources.
pub(super) struct AssistantBuilder<'a> {
    pub(super) manifest: &'a Manifest,
    pub(super) runner: &'a dyn Fn(&mut ToolDef, HttpTool) -> Arc<dyn RunByData>,
    pub(super) sources: IndexMap<String, SourceClient>,
}

/// Builds the assistant of a folder. The first problem is the error.
pub fn load(folder: &ManifestFolder, set_up: &SetUp) -> Result<ManifestAssistant, ManifestError> {
    let plain = Extension {
        adapt: &|_| {},
        runner: &|_, tool| Arc::new(tool),
    };
    load_extended(folder, set_up, &plain)
}

/// Builds the assistant of an embedded folder together with its code.
pub fn load_extended(
    folder: &ManifestFolder,
    set_up: &SetUp,
    extension: &Extension<'_>,
) -> Result<ManifestAssistant, ManifestError> {
    let in_file = |problem: Problem| problem.in_file(&folder.manifest_file(), &folder.manifest);
    let table = parse(folder)?;
    let mut manifest = read(table, set_up.variables.as_ref()).map_err(in_file)?;
    (extension.adapt)(&mut manifest);
    manifest.inherit_fields();
    let builder = AssistantBuilder::new(&manifest, set_up, extension).map_err(in_file)?;
    let assistant = builder.assistant(folder, set_up).map_err(in_file)?;
    for (index, rule) in manifest.never.iter().enumerate() {
        if let Some(example) = rule.counterexample(&assistant) {
            return Err(in_file(at(format!("never[{index}]"), example.to_string())));
        }
    }
    let doubts = warnings::warnings(&manifest, &assistant);
    let mut warnings: Vec<ManifestError> = doubts.into_iter().map(in_file).collect();
    warnings.extend(warnings::unknown_phrasings(folder, &assistant));
    Ok(ManifestAssistant {
        people: people(&manifest),
        sources: builder.sources,
        folder: folder.path.clone(),
        warnings,
        assistant: Arc::new(assistant),
        manifest,
    })
}

impl<'a> AssistantBuilder<'a> {
    fn new(
        manifest: &'a Manifest,
        set_up: &SetUp,
        extension: &Extension<'a>,
    ) -> Result<Self, Problem> {
        let client = |entry: &SourceEntry| {
            Ok::<_, SourceError>(match entry.clone() {
                SourceEntry::Http(source) => {
                    let env = Arc::clone(&set_up.env);
                    let made = HttpSource::new(*source, set_up.tokens.clone(), env)?;
                    SourceClient::Http(Arc::new(made))
                }
                SourceEntry::Mcp(source) => {
                    SourceClient::Mcp(McpClient::new(*source, set_up.inherited.clone())?)
                }
            })
        };
        let mut sources = IndexMap::new();
        for (name, entry) in &manifest.source {
            let made = client(entry).map_err(|error| at(format!("source.{name}"), error.0))?;
            sources.insert(name.clone(), made);
        }
        Ok(Self {
            manifest,
            runner: extension.runner,
            sources,
        })
    }

    fn assistant(&self, folder: &ManifestFolder, set_up: &SetUp) -> Result<Assistant, Problem> {
        let manifest = self.manifest;
        let reply_schema = manifest.reply.clone().map(ReplySchema::new).transpose();
        let suggestions = manifest.suggestions.iter().map(|entry| Suggestion {
            text: entry.text.clone().into(),
            roles: entry.roles.clone(),
        });
        Ok(Assistant {
            name: folder.name.clone().into(),
            title: manifest.title.clone().into(),
            description: manifest.description.clone().into(),
            roles: manifest.roles.clone(),
            instructions: folder.instructions.clone().into(),
            phases: self.phases()?,
            toolbox: self.toolbox(folder, set_up)?,
            context: self.context()?,
            reply_schema: reply_schema.map_err(|error| at("reply", error.to_string()))?,
            model: ModelSettings {
                model: set_up
                    .model
                    .as_ref()
                    .unwrap_or(&manifest.model.name)
                    .clone(),
                temperature: manifest.model.temperature,
                max_tokens: manifest.model.max_tokens,
            },
            limits: limits(&manifest.limits),
            greeting: manifest.greeting.clone().into(),
            suggestions: suggestions.collect(),
        })
    }

    fn toolbox(&self, folder: &ManifestFolder, set_up: &SetUp) -> Result<Toolbox, Problem> {
        let manifest = self.manifest;
        let mut builder = Toolbox::builder().phrasings(&folder.phrasings);
        for (name, entry) in &manifest.tool {
            let built = tools::tool(self, name, entry);
            let (def, runner) = built.map_err(|problem| problem.below(&format!("tool.{name}")))?;
            builder = builder.data_tool(def, runner);
        }
        for entry in &manifest.phases {
            if let Some((def, runner)) = phases::enter_tool(entry, &manifest.phases) {
                builder = builder.data_tool(def, runner);
            }
        }
        if !manifest.collections.is_empty() {
            let (def, runner) = documents::tool(&manifest.collections, &set_up.search);
            builder = builder.data_tool(def, runner);
        }
        builder.build().map_err(|error| {
            let key = tool_of(&error).map_or("tool".to_owned(), |tool| format!("tool.{tool}"));
            at(key, error.to_string())
        })
    }

    fn phases(&self) -> Result<Vec<PhaseSpec>, Problem> {
        let entries = &self.manifest.phases;
        for (index, entry) in entries.iter().enumerate() {
            let key = |field: &str| format!("phases[{index}].{field}");
            if entries[..index]
                .iter()
                .any(|other| other.name == entry.name)
            {
                let problem = format!("two phases are named `{}`", entry.name);
                return Err(at(key("name"), problem));
            }
            self.check_tools(&key("needs"), &entry.needs)?;
            if entry.when.is_none() && !entry.needs.is_empty() {
                let problem = "needs `when`: only the tool `enter_…` can check them";
                return Err(at(key("needs"), problem));
            }
        }
        Ok(entries.iter().map(phases::phase).collect())
    }

    fn context(&self) -> Result<Vec<Arc<dyn ContextLoader>>, Problem> {
        let mut loaders: Vec<Arc<dyn ContextLoader>> = Vec::new();
        for (index, entry) in self.manifest.context.iter().enumerate() {
            let loader = self.facts(entry);
            let below = |problem: Problem| problem.below(&format!("context[{index}]"));
            loaders.push(Arc::new(loader.map_err(below)?));
        }
        if !self.manifest.quick_replies.is_empty() {
            loaders.push(Arc::new(QuickReplies(self.manifest.quick_replies.clone())));
        }
        Ok(loaders)
    }

    fn facts(&self, entry: &ContextEntry) -> Result<FactLoader, Problem> {
        if entry.request.method != HttpMethod::Get {
            let problem = "facts are loaded before each turn, so only a GET is possible";
            return Err(at("request", problem));
        }
        if let Some((name, _)) = entry.parameters.iter().find(|(_, p)| p.is_shown()) {
            let problem = "needs a `value` or a `bind`: no model fills it in";
            return Err(at(format!("parameters.{name}"), problem));
        }
        let operation = Operation {
            parameters: entry.parameters.clone(),
            response: entry.response.clone(),
            ..Operation::new(entry.request.clone())
        };
        if let Some(problem) = operation.problem() {
            return Err(at("request", problem));
        }
        match self.source(&entry.source)? {
            SourceClient::Http(source) => Ok(FactLoader {
                title: entry.title.clone(),
                source: Arc::clone(source),
                operation,
            }),
            SourceClient::Mcp(_) => {
                let problem = "facts come from a system over HTTP, not from an MCP server";
                Err(at("source", problem))
            }
        }
    }

    /// The source that a part names, or else the only one.
    pub(super) fn source(&self, named: &Option<String>) -> Result<&SourceClient, Problem> {
        let names = || self.sources.keys().map(String::as_str);
        match self.manifest.source_of(named) {
            Some(name) => {
                let known = self.sources.get(name);
                known.ok_or_else(|| at("source", unknown("source", name, names())))
            }
            None if self.sources.is_empty() => {
                Err(at("", "there is no source: write [source.NAME]"))
            }
            None => {
                let names: Vec<&str> = names().collect();
                Err(at("", format!("needs a `source`: {}", names.join(" or "))))
            }
        }
    }

    /// Fails if one of these is no tool of the manifest.
    pub(super) fn check_tools(&self, key: &str, names: &[String]) -> Result<(), Problem> {
        let known = self.manifest.tool.keys().map(String::as_str);
        check_names(key, "tool", names, known)
    }

    /// Fails if one of these is no phase of the manifest.
    pub(super) fn check_phases(&self, key: &str, names: &[String]) -> Result<(), Problem> {
        let known = self.manifest.phases.iter().map(|entry| entry.name.as_str());
        check_names(key, "phase", names, known)
    }
}

fn check_names<'a>(
    key: &str,
    kind: &str,
    names: &[String],
    known: impl Iterator<Item = &'a str>,
) -> Result<(), Problem> {
    let known: Vec<&str> = known.collect();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(at(key, unknown(kind, name, known))),
        None => Ok(()),
    }
}

fn people(manifest: &Manifest) -> Vec<Persona> {
    let people = manifest.people.iter().map(|person| Persona {
        name: person.name.clone().into(),
        display_name: person.display_name.clone().into(),
        email: person.email.clone().into(),
        roles: person.roles.clone(),
        company: None,
    });
    people.collect()
}

fn limits(entry: &LimitsEntry) -> Limits {
    let usual = Limits::default();
    Limits {
        rounds: entry.rounds.unwrap_or(usual.rounds),
        calls_a_round: entry.calls_a_round.unwrap_or(usual.calls_a_round),
        turn: entry.turn_seconds.map_or(usual.turn, Duration::from_secs),
        window: frontdesk_core::transcript::Window {
            max_tokens: entry.window_tokens.unwrap_or(usual.window.max_tokens),
            ..usual.window
        },
        message: entry
            .message_characters
            .map_or(usual.message, MessageLimit::Characters),
        messages_a_minute: entry.messages_a_minute.unwrap_or(usual.messages_a_minute),
        tokens_a_turn: entry.tokens_a_turn.unwrap_or(usual.tokens_a_turn),
        approvals_a_turn: entry.approvals_a_turn.unwrap_or(usual.approvals_a_turn),
    }
}

/// The tool that an error is about.
fn tool_of(error: &ToolboxError) -> Option<&str> {
    match error {
        ToolboxError::RepeatedName(tool)
        | ToolboxError::BadName(tool)
        | ToolboxError::NoDescription(tool)
        | ToolboxError::BadSchema { tool, .. }
        | ToolboxError::MissingNeed { tool, .. }
        | ToolboxError::UnknownTarget { tool, .. }
        | ToolboxError::UnknownOwnName { tool, .. }
        | ToolboxError::BadPreview { tool, .. } => Some(tool),
        ToolboxError::CircularNeed(tools) => tools.first().map(String::as_str),
    }
}

/// Next messages after an answer.
struct QuickReplies(Vec<String>);

#[async_trait]
impl ContextLoader for QuickReplies {
    async fn load(&self, _: &Principal, _: &Conversation) -> Option<String> {
        None
    }

    fn suggest(&self, _: &Conversation) -> Vec<String> {
        self.0.clone()
    }
}
