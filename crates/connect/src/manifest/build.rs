//! Turns a manifest into an assistant and checks everything that its parts say about each other.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::assistant::{Assistant, ContextLoader, Limits, MessageLimit, Suggestion};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::env::Env;
use frontdesk_core::model::ModelSettings;
use frontdesk_core::never::Never;
use frontdesk_core::persona::Persona;
use frontdesk_core::phase::Phase;
use frontdesk_core::reply::ReplySchema;
use frontdesk_core::search::Search;
use frontdesk_core::tool::ToolDef;
use frontdesk_core::toolbox::{RunByData, Toolbox, ToolboxError};
use indexmap::IndexMap;

use super::context::FactLoader;
use super::error::{ManifestError, Places, hint};
use super::folder::ManifestFolder;
use super::format::{LimitsEntry, Manifest, SourceEntry, ToolEntry};
use super::read::parse;
use super::{documents, phases, tools, warnings};
use crate::auth::TokenSources;
use crate::client::{HttpSource, SourceError};
use crate::mcp::{McpClient, McpOperation};
use crate::operation::{HttpMethod, Operation};
use crate::source::Source;
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
}

/// An assistant that a manifest defines.
pub struct ManifestAssistant {
    pub assistant: Assistant,
    pub people: Vec<Persona>,
    pub never: Vec<Never>,
    /// Doubts that do not prevent its use.
    pub warnings: Vec<ManifestError>,
    pub sources: Vec<SourceCheck>,
}

/// The requests that tools make of a source, by the tools' keys in the manifest. `frontdesk check`
/// compares them with those that the source offers.
pub enum SourceCheck {
    Http {
        name: String,
        source: Box<Source>,
        /// The assistant's folder.
        folder: PathBuf,
        operations: Vec<(String, Operation)>,
    },
    Mcp {
        name: String,
        client: Arc<McpClient>,
        operations: Vec<(String, McpOperation)>,
    },
}

/// The client of a source.
pub(super) enum SourceClient {
    Http(Arc<HttpSource>),
    Mcp(Arc<McpClient>),
}

impl SourceClient {
    fn new(entry: &SourceEntry, set_up: &SetUp) -> Result<Self, SourceError> {
        Ok(match entry {
            SourceEntry::Http(source) => {
                let (source, env) = (source.as_ref().clone(), Arc::clone(&set_up.env));
                let made = HttpSource::new(source, set_up.tokens.clone(), env)?;
                Self::Http(Arc::new(made))
            }
            SourceEntry::Mcp(source) => {
                let source = source.as_ref().clone();
                Self::Mcp(McpClient::new(source, set_up.inherited.clone())?)
            }
        })
    }
}

/// The additions of code to a manifest that it embeds.
pub struct Extension<'a> {
    /// Inserts the settings of the installation.
    pub adapt: &'a dyn Fn(&mut Manifest),
    /// Runs a tool over HTTP, whose declaration it may complete.
    pub runner: &'a dyn Fn(&mut ToolDef, HttpTool) -> Arc<dyn RunByData>,
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
    let file = folder.manifest_file();
    let (mut manifest, places) = parse(&file, folder.manifest(), set_up.variables.as_ref())?;
    (extension.adapt)(&mut manifest);
    let mut sources = IndexMap::new();
    for (name, source) in &manifest.source {
        let made = SourceClient::new(source, set_up);
        let made = made.map_err(|error| places.error(&format!("source.{name}"), error.0))?;
        sources.insert(name.clone(), made);
    }
    let builder = AssistantBuilder {
        manifest: &manifest,
        places: &places,
        runner: extension.runner,
        sources,
    };
    let assistant = builder.assistant(folder, set_up)?;
    let never = builder.never(&assistant)?;
    let mut warnings = builder.warnings(&assistant);
    warnings.extend(warnings::unknown_phrasings(folder, &assistant));
    Ok(ManifestAssistant {
        people: builder.people()?,
        sources: builder.checks(folder),
        warnings,
        never,
        assistant,
    })
}

/// A manifest on its way to an assistant.
pub(super) struct AssistantBuilder<'a> {
    pub(super) manifest: &'a Manifest,
    pub(super) places: &'a Places,
    pub(super) runner: &'a dyn Fn(&mut ToolDef, HttpTool) -> Arc<dyn RunByData>,
    pub(super) sources: IndexMap<String, SourceClient>,
}

impl AssistantBuilder<'_> {
    fn assistant(
        &self,
        folder: &ManifestFolder,
        set_up: &SetUp,
    ) -> Result<Assistant, ManifestError> {
        let manifest = self.manifest;
        let reply_schema = match &manifest.reply {
            Some(schema) => Some(
                ReplySchema::new(schema.clone())
                    .map_err(|error| self.places.error("reply", error.to_string()))?,
            ),
            None => None,
        };
        Ok(Assistant {
            name: folder.name.clone().into(),
            title: self.required("title", &manifest.title)?,
            description: manifest.description.clone().into(),
            roles: self.roles("roles", &manifest.roles)?,
            instructions: folder.instructions().to_owned().into(),
            phases: self.all_phases()?,
            toolbox: self.toolbox(folder, set_up)?,
            context: self.context()?,
            reply_schema,
            model: ModelSettings {
                model: manifest.model.name.clone(),
                temperature: manifest.model.temperature,
                max_tokens: manifest.model.max_tokens,
            },
            limits: limits(&manifest.limits),
            greeting: manifest.greeting.clone().into(),
            suggestions: self.suggestions()?,
        })
    }

    fn required(&self, key: &str, text: &str) -> Result<Cow<'static, str>, ManifestError> {
        match text.trim().is_empty() {
            true => Err(self.places.error(key, "must not be empty")),
            false => Ok(Cow::Owned(text.trim().to_owned())),
        }
    }

    fn toolbox(&self, folder: &ManifestFolder, set_up: &SetUp) -> Result<Toolbox, ManifestError> {
        let mut builder = Toolbox::builder().phrasings(folder.phrasings());
        for (name, entry) in &self.manifest.tool {
            let (def, runner) = tools::tool(self, name, entry)?;
            builder = builder.data_tool(def, runner);
        }
        for entry in &self.manifest.phases {
            if let Some((def, runner)) = phases::enter_tool(entry, &self.manifest.phases) {
                builder = builder.data_tool(def, runner);
            }
        }
        if !self.manifest.collections.is_empty() {
            let (def, runner) = documents::tool(&self.manifest.collections, &set_up.search);
            builder = builder.data_tool(def, runner);
        }
        builder.build().map_err(|error| {
            let key = match tool_of(&error) {
                Some(tool) => format!("tool.{tool}"),
                None => "tool".to_owned(),
            };
            self.places.error(&key, error.to_string())
        })
    }

    fn all_phases(&self) -> Result<Vec<frontdesk_core::phase::PhaseSpec>, ManifestError> {
        let entries = &self.manifest.phases;
        for (index, entry) in entries.iter().enumerate() {
            let key = format!("phases[{index}]");
            if entries[..index]
                .iter()
                .any(|other| other.name == entry.name)
            {
                let problem = format!("two phases are named `{}`", entry.name);
                return Err(self.places.error(&format!("{key}.name"), problem));
            }
            self.tools(&format!("{key}.needs"), &entry.needs)?;
            if entry.when.is_none() && !entry.needs.is_empty() {
                let problem = "needs `when`: only the tool `enter_…` can check them";
                return Err(self.places.error(&format!("{key}.needs"), problem));
            }
        }
        Ok(entries.iter().map(phases::phase).collect())
    }

    fn context(&self) -> Result<Vec<Arc<dyn ContextLoader>>, ManifestError> {
        let mut loaders: Vec<Arc<dyn ContextLoader>> = Vec::new();
        for (index, entry) in self.manifest.context.iter().enumerate() {
            let key = format!("context[{index}]");
            if entry.request.method != HttpMethod::Get {
                let problem = "facts are loaded before each turn, so only a GET is possible";
                return Err(self.places.error(&format!("{key}.request"), problem));
            }
            if let Some((name, _)) = entry.parameters.iter().find(|(_, p)| p.is_shown()) {
                let key = format!("{key}.parameters.{name}");
                let problem = "needs a `value` or a `bind`: no model fills it in";
                return Err(self.places.error(&key, problem));
            }
            let operation = Operation {
                parameters: entry.parameters.clone(),
                response: entry.response.clone(),
                ..Operation::new(entry.request.clone())
            };
            if let Some(problem) = operation.problem() {
                return Err(self.places.error(&format!("{key}.request"), problem));
            }
            let SourceClient::Http(source) = self.source(&key, entry.source.as_deref())? else {
                let problem = "facts come from a system over HTTP, not from an MCP server";
                return Err(self.places.error(&format!("{key}.source"), problem));
            };
            loaders.push(Arc::new(FactLoader {
                title: entry.title.clone(),
                source: Arc::clone(source),
                operation,
            }));
        }
        if !self.manifest.quick_replies.is_empty() {
            loaders.push(Arc::new(QuickReplies(self.manifest.quick_replies.clone())));
        }
        Ok(loaders)
    }

    fn suggestions(&self) -> Result<Vec<Suggestion>, ManifestError> {
        let entries = self.manifest.suggestions.iter().enumerate();
        entries
            .map(|(index, entry)| {
                Ok(Suggestion {
                    text: entry.text.clone().into(),
                    roles: self.roles(&format!("suggestions[{index}].roles"), &entry.roles)?,
                })
            })
            .collect()
    }

    fn people(&self) -> Result<Vec<Persona>, ManifestError> {
        let entries = self.manifest.people.iter().enumerate();
        entries
            .map(|(index, person)| {
                Ok(Persona {
                    name: self.required(&format!("people[{index}].name"), &person.name)?,
                    display_name: person.display_name.clone().into(),
                    email: person.email.clone().into(),
                    roles: self.roles(&format!("people[{index}].roles"), &person.roles)?,
                    company: None,
                })
            })
            .collect()
    }

    /// The rules that the assistant keeps; a broken one is an error.
    fn never(&self, assistant: &Assistant) -> Result<Vec<Never>, ManifestError> {
        let mut rules = Vec::new();
        for (index, text) in self.manifest.never.iter().enumerate() {
            let key = format!("never[{index}]");
            let rule: Never = text
                .parse()
                .map_err(|error: frontdesk_core::never::NotARule| {
                    self.places.error(&key, error.to_string())
                })?;
            if let Some(example) = rule.counterexample(assistant) {
                return Err(self.places.error(&key, example.to_string()));
            }
            rules.push(rule);
        }
        Ok(rules)
    }

    /// The source that a tool names, or the only one.
    pub(super) fn source(
        &self,
        key: &str,
        named: Option<&str>,
    ) -> Result<&SourceClient, ManifestError> {
        let names = || self.sources.keys().map(String::as_str);
        match (named, self.sources.len()) {
            (Some(name), _) => self.sources.get(name).ok_or_else(|| {
                let problem = format!("there is no source `{name}`{}", hint(name, names()));
                self.places.error(&format!("{key}.source"), problem)
            }),
            (None, 1) => Ok(&self.sources[0]),
            (None, 0) => Err(self
                .places
                .error(key, "there is no source: write [source.NAME]")),
            (None, _) => {
                let names: Vec<&str> = names().collect();
                let problem = format!("needs a `source`: {}", names.join(" or "));
                Err(self.places.error(key, problem))
            }
        }
    }

    pub(super) fn roles(&self, key: &str, names: &[String]) -> Result<Vec<Role>, ManifestError> {
        let is_role = |name: &str| {
            !name.is_empty()
                && name.chars().count() <= 64
                && name.trim() == name
                && !name.contains([',', ':', '*'])
                && !name.chars().any(char::is_control)
        };
        match names.iter().find(|name| !is_role(name)) {
            Some(name) => {
                let problem =
                    format!("{name:?} cannot be a role: no `,`, `:` or `*`, 1 to 64 characters");
                Err(self.places.error(key, problem))
            }
            None => Ok(names.iter().cloned().map(Role::declared).collect()),
        }
    }

    pub(super) fn phases(&self, key: &str, names: &[String]) -> Result<Vec<Phase>, ManifestError> {
        let known = || self.manifest.phases.iter().map(|entry| entry.name.as_str());
        for name in names {
            if !known().any(|known| known == name) {
                let problem = format!("there is no phase `{name}`{}", hint(name, known()));
                return Err(self.places.error(key, problem));
            }
        }
        Ok(names.iter().cloned().map(Phase::stored).collect())
    }

    pub(super) fn tools(&self, key: &str, names: &[String]) -> Result<Vec<String>, ManifestError> {
        let known = || self.manifest.tool.keys().map(String::as_str);
        for name in names {
            if !known().any(|known| known == name) {
                let problem = format!("there is no tool `{name}`{}", hint(name, known()));
                return Err(self.places.error(key, problem));
            }
        }
        Ok(names.to_vec())
    }

    /// The tools that list what this one is about, with their roles.
    pub(super) fn lists(
        &self,
        entry: &ToolEntry,
    ) -> Result<Vec<(String, Vec<Role>)>, ManifestError> {
        let mut lists = Vec::new();
        for (name, other) in &self.manifest.tool {
            let reads_all = other.request.as_ref().is_some_and(|request| {
                request.method == HttpMethod::Get && request.names().next().is_none()
            });
            if reads_all && entry.object.is_some() && other.object == entry.object {
                let roles = self.roles(&format!("tool.{name}.roles"), &other.roles)?;
                lists.push((other.parameters.len(), name.clone(), roles));
            }
        }
        // The general list first: it has the most filters.
        lists.sort_by_key(|(filters, ..)| Reverse(*filters));
        Ok(lists
            .into_iter()
            .map(|(_, name, roles)| (name, roles))
            .collect())
    }

    fn checks(&self, folder: &ManifestFolder) -> Vec<SourceCheck> {
        let used_by = |name: &str| {
            let only = self.sources.len() == 1;
            let all = self.manifest.tool.iter();
            let uses = move |tool: &ToolEntry| match &tool.source {
                Some(named) => *named == name,
                None => only,
            };
            all.filter(move |(_, tool)| uses(tool))
                .map(|(key, tool)| (format!("tool.{key}"), tool))
                .collect::<Vec<_>>()
        };
        self.sources
            .iter()
            .map(|(name, source)| match source {
                SourceClient::Http(source) => SourceCheck::Http {
                    name: name.clone(),
                    source: Box::new(source.source().clone()),
                    folder: folder.path.clone(),
                    operations: used_by(name)
                        .into_iter()
                        .filter_map(|(key, tool)| {
                            Some((key, tools::operation(self.manifest, tool)?))
                        })
                        .collect(),
                },
                SourceClient::Mcp(client) => SourceCheck::Mcp {
                    name: name.clone(),
                    client: Arc::clone(client),
                    operations: used_by(name)
                        .into_iter()
                        .filter_map(|(key, tool)| Some((key, tools::mcp_operation(tool)?)))
                        .collect(),
                },
            })
            .collect()
    }
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
