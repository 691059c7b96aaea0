//! Everything an assistant brings with it, and what it is given. The product knows
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
use serde::Serialize;

use crate::inbox::InboxSource;
use crate::procedure::Procedure;
use crate::route::OwnRoute;

/// What an assistant may build itself from.
pub struct SetupContext {
    /// For its own tables; migrated before anything runs.
    pub db: Db,
    /// Its settings, by key.
    pub settings: BTreeMap<String, String>,
    /// Where people reach this server.
    pub public_url: String,
    /// The time, and a way to wait.
    pub env: Arc<dyn Env>,
    /// Where the back-end services that come with the product are reached, by name. One
    /// that does not run here is absent.
    pub services: BTreeMap<String, String>,
    /// Signs requests to back-end services.
    pub service_tokens: MintToken,
    /// Finds passages in what was taken in.
    pub search: Arc<dyn Search>,
    /// Conversations and answers, for routes of its own. Open once the server is set up.
    pub conversation_api: Arc<dyn ConversationApi>,
}

/// Makes a token that lets a service named by its audience act for this person: subject,
/// name and roles, valid for a minute. The person's own token never leaves the server.
pub type MintToken = Arc<dyn Fn(&Principal, &str) -> Result<String, MintError> + Send + Sync>;

/// Why no token could be made. For the operator.
pub type MintError = Box<dyn Error + Send + Sync>;

/// Why an assistant could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error(transparent)]
    Toolbox(#[from] ToolboxError),
    #[error(transparent)]
    Reply(#[from] ReplySchemaError),
    /// A setting has a value that cannot be used; says what would be right.
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
    /// Whether a conversation that names no assistant is with this one.
    pub is_default: bool,
    /// Demo people who use it.
    pub personas: Vec<Persona>,
    /// Tables of its own.
    pub migrations: Option<MigrationSet>,
    /// How its transactional tools' changes are applied, by kind.
    pub appliers: Vec<(&'static str, Arc<dyn ApplyChange>)>,
    /// Routes of its own, mounted under `/api/v1`. The same that it describes before it is set up.
    pub routes: Vec<OwnRoute>,
    /// Procedures for clients that speak tRPC, under `/api/trpc`.
    pub procedures: Vec<Procedure>,
    /// What its conversations can be about. Without this they have no subject.
    pub subjects: Option<Arc<dyn Subjects>>,
    /// How its documents are written out. Markdown is made by the product where this has none.
    pub export: Option<ExportArtifact>,
    /// How a person's edit becomes the next version. Its documents cannot be edited without this.
    pub edit: Option<EditArtifact>,
    /// Documents that the demo has from the first start on.
    pub demo_documents: Option<DemoDocuments>,
    /// Rows that the demo has from the first start on, put in as the first of its personas.
    pub demo_data: Option<Arc<dyn DemoData>>,
    /// What it takes in from files.
    pub import: Option<Arc<dyn Import>>,
    /// Reports its work that waits for people.
    pub inbox: Option<Arc<dyn InboxSource>>,
    /// What its traces are called.
    pub trace: TraceNames,
}

/// What went wrong, for the operator.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// Puts in what the demo shows; done again, it changes nothing.
#[async_trait]
pub trait DemoData: Send + Sync {
    async fn bring(&self, who: &Principal) -> Result<(), BoxError>;
}

/// Takes data in from a file, as somebody who may.
#[async_trait]
pub trait Import: Send + Sync {
    /// What files it takes and what `into` names, in a sentence.
    fn about(&self) -> &'static str;

    /// `name` is the file's, for telling its kind. Rows that cannot be taken are reported and
    /// leave the others alone; a row that is there already is not taken twice.
    async fn import(
        &self,
        who: &Principal,
        into: Option<&str>,
        name: &str,
        bytes: &[u8],
    ) -> Result<ImportReport, BoxError>;
}

/// What became of a file, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    pub taken: usize,
    /// There already, with the same values.
    pub known: usize,
    pub failed: Vec<ImportRow>,
}

/// A row that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportRow {
    /// From 1, as people count the rows of the file, headings not among them.
    pub row: usize,
    pub problem: String,
}

/// What an assistant calls its traces, and what they are about.
#[derive(Clone, Copy, Debug)]
pub struct TraceNames {
    /// The assistant's own name when absent.
    pub name: Option<&'static str>,
    /// Under which names the trace says whose it is and what it is about.
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

/// Documents that come with an assistant: into which collection, and each with its path and
/// its Markdown.
#[derive(Clone, Copy)]
pub struct DemoDocuments {
    pub collection: &'static str,
    pub files: &'static [(&'static str, &'static str)],
}

impl Bundle {
    /// An assistant with nothing but itself and the people who use it.
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
            trace: TraceNames::default(),
        }
    }
}
