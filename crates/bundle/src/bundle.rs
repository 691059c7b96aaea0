//! A bundle: the parts of an assistant, and the dependencies that it gets. The product knows
//! assistants only as bundles.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::artifact::{EditArtifact, ExportArtifact};
use frontdesk_core::assistant::Assistant;
use frontdesk_core::conversation_api::ConversationApi;
use frontdesk_core::env::Env;
use frontdesk_core::persona::Persona;
use frontdesk_core::reply::ReplySchemaError;
use frontdesk_core::search::Search;
use frontdesk_core::subject::Subjects;
use frontdesk_core::toolbox::ToolboxError;
use frontdesk_db::{Db, MigrationSet};
use frontdesk_store::ApplyChange;
use schemars::JsonSchema;
use secrecy::SecretString;
use serde::Serialize;

use crate::inbox::InboxSource;
use crate::object_search::ObjectSearch;
use crate::procedure::Procedure;
use crate::route::OwnRoute;

/// The dependencies of an assistant.
pub struct SetupContext {
    /// For its own tables, which are migrated before startup.
    pub db: Db,
    /// Its settings, by key.
    pub settings: BTreeMap<String, String>,
    /// The public address of this server.
    pub public_url: String,
    pub env: Arc<dyn Env>,
    /// Addresses of the bundled back-end services that run here, by name.
    pub services: BTreeMap<String, String>,
    /// Signs requests to back-end services.
    pub service_tokens: MintToken,
    /// For systems that accept the token with which the person signed in.
    pub person_tokens: PersonToken,
    pub search: Arc<dyn Search>,
    /// For its own routes. Available once the server has started.
    pub conversation_api: Arc<dyn ConversationApi>,
}

/// The token with which this person last signed in here, while it is valid. It is kept in memory
/// only, so it is unknown after a restart.
pub type PersonToken = Arc<dyn Fn(&Principal) -> Option<SecretString> + Send + Sync>;

/// Creates a token that lets the service named by the audience act for this person: subject, name
/// and roles, valid for one minute.
pub type MintToken = Arc<dyn Fn(&Principal, &str) -> Result<String, MintError> + Send + Sync>;

/// For the operator.
pub type MintError = Box<dyn Error + Send + Sync>;

#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error(transparent)]
    Toolbox(#[from] ToolboxError),
    #[error(transparent)]
    Reply(#[from] ReplySchemaError),
    /// A setting has an invalid value; `problem` describes a valid one.
    #[error("{key}: {problem}")]
    Setting { key: &'static str, problem: String },
    #[error("{assistant} cannot be set up: {cause}")]
    Part {
        assistant: &'static str,
        cause: Box<dyn Error + Send + Sync>,
    },
}

pub struct Bundle {
    pub assistant: Assistant,
    /// The assistant of conversations that name none.
    pub is_default: bool,
    pub personas: Vec<Persona>,
    pub migrations: Option<MigrationSet>,
    /// Apply the changes of its transactional tools, by kind.
    pub appliers: Vec<(&'static str, Arc<dyn ApplyChange>)>,
    /// Its own routes, mounted under `/api/v1`. Must equal
    /// [`Package::operations`](crate::Package::operations).
    pub routes: Vec<OwnRoute>,
    /// Procedures for tRPC clients, under `/api/trpc`.
    pub procedures: Vec<Procedure>,
    /// The possible subjects of its conversations; `None` for conversations without one.
    pub subjects: Option<Arc<dyn Subjects>>,
    /// Renders its documents. The product renders Markdown if this does not.
    pub export: Option<ExportArtifact>,
    /// Turns a person's edit into the next version. Without it, documents are read-only.
    pub edit: Option<EditArtifact>,
    /// Documents indexed at the first start of the demo.
    pub demo_documents: Option<DemoDocuments>,
    /// Rows inserted at the first start of the demo, as the first of its personas.
    pub demo_data: Option<Arc<dyn DemoData>>,
    pub import: Option<Arc<dyn Import>>,
    /// Reports work that waits for people.
    pub inbox: Option<Arc<dyn InboxSource>>,
    /// Finds its objects for the search of the page.
    pub search: Option<Arc<dyn ObjectSearch>>,
    pub trace: TraceNames,
    /// Systems of others that it needs; `doctor` checks that they answer.
    pub systems: Vec<RequiredSystem>,
}

/// A system that an assistant needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequiredSystem {
    /// Its name in messages: "the gate pass system".
    pub name: String,
    pub url: String,
    /// The setting that holds its address.
    pub setting: String,
}

/// For the operator.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// Inserts demo data. Idempotent.
#[async_trait]
pub trait DemoData: Send + Sync {
    async fn bring(&self, who: &Principal) -> Result<(), BoxError>;
}

/// Imports data from a file, with the rights of the importing person.
#[async_trait]
pub trait Import: Send + Sync {
    /// The accepted files and the meaning of `into`, in one sentence.
    fn about(&self) -> &'static str;

    /// `name` is the file's, for telling its kind. Rows that cannot be imported are
    /// reported and do not affect the others; a stored row is updated, never duplicated.
    async fn import(
        &self,
        who: &Principal,
        into: Option<&str>,
        name: &str,
        bytes: &[u8],
    ) -> Result<ImportReport, BoxError>;
}

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(example = Self { new: 12, changed: 3, unchanged: 60, refused: Vec::new() })]
pub struct ImportReport {
    pub new: usize,
    pub changed: usize,
    /// Stored already, with the same values.
    pub unchanged: usize,
    pub refused: Vec<ImportRow>,
}

/// A row that was not imported, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportRow {
    /// Starts at 1; the header row does not count.
    pub row: usize,
    pub problem: String,
}

/// The names that an assistant's traces use.
#[derive(Clone, Copy, Debug)]
pub struct TraceNames {
    /// Defaults to the assistant's name.
    pub name: Option<&'static str>,
    /// The attributes for the person, the company and the subject.
    pub user: &'static str,
    pub company: &'static str,
    pub subject: &'static str,
}

impl Default for TraceNames {
    fn default() -> Self {
        Self {
            name: None,
            user: "userId",
            company: "companyId",
            subject: "subject",
        }
    }
}

/// An assistant's demo documents: their collection, and each document's path and Markdown.
#[derive(Clone, Copy)]
pub struct DemoDocuments {
    pub collection: &'static str,
    pub files: &'static [(&'static str, &'static str)],
}

impl Bundle {
    /// A bundle without optional parts.
    pub fn new(assistant: Assistant, personas: Vec<Persona>) -> Self {
        Self {
            assistant,
            is_default: false,
            personas,
            migrations: None,
            appliers: Vec::new(),
            routes: Vec::new(),
            procedures: Vec::new(),
            subjects: None,
            export: None,
            edit: None,
            demo_documents: None,
            demo_data: None,
            import: None,
            inbox: None,
            search: None,
            trace: TraceNames::default(),
            systems: Vec::new(),
        }
    }
}
