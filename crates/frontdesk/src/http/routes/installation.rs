//! For Operators: the installation at a glance. No secrets, no content.

use frontdesk_core::access::Role;
use frontdesk_db::{Claims, DbError, Dialect};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

use super::operator::watches;
use super::{AppState, Caller, Json, JsonResult, Route};
use crate::config::{Config, Fallback};
use crate::manifests::ManifestReport;
use crate::people_seen::PersonSeen;
use crate::reach::{ModelHealth, shown_address};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/installation", show)
            .named("get_installation", "records", "Get the state of the installation")
            .about("For Operators. The model and whether it answers, limits, assistants and manifests, storage, and the people who used this node since it started.")
            .gives::<Installation>(200, "The installation")
            .refuses(&[403]),
    ]
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct Installation {
    version: &'static str,
    model: ModelStatus,
    limits: LimitStatus,
    assistants: Vec<AssistantStatus>,
    /// Assistants without code, including those with an error.
    manifests: Vec<ManifestReport>,
    storage: StorageStatus,
    /// The last one first.
    people: Vec<PersonSeen>,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ModelStatus {
    /// Address of the endpoint; absent for the built-in model.
    address: Option<String>,
    health: ModelHealth,
    /// The built-in model answers while the language model is unavailable.
    fallback: bool,
}

/// `null` is no limit.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct LimitStatus {
    turns_in_flight: u32,
    tokens_a_person_and_day: Option<u64>,
    tokens_a_company_and_day: Option<u64>,
    /// Of the files of one person or company.
    storage_bytes: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct AssistantStatus {
    name: String,
    title: String,
    /// Absent if the built-in model answers.
    model: Option<String>,
    tools: usize,
    /// Roles that may use it; empty means everyone.
    roles: Vec<Role>,
    /// It has no code of its own.
    from_manifest: bool,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct StorageStatus {
    /// `sqlite` or `postgres`.
    database: &'static str,
    database_bytes: Option<i64>,
    /// Everything in the data folder, including an embedded database.
    folder_bytes: u64,
    documents: u64,
    passages: u64,
}

async fn show(Caller { state, who }: Caller) -> JsonResult<Installation> {
    watches(&who)?;
    let config = &state.app.config;
    let health = ModelHealth::check(&config.model).await;
    let offline = health == ModelHealth::BuiltIn;
    Ok(Json(Installation {
        version: env!("CARGO_PKG_VERSION"),
        model: ModelStatus {
            address: (!offline).then(|| shown_address(&config.model.base_url)),
            fallback: !offline && config.model.fallback == Fallback::Offline,
            health,
        },
        limits: limits(config),
        assistants: assistants(&state, offline),
        manifests: state.app.manifests.reports(),
        storage: storage(&state).await,
        people: state.app.people_seen.list(),
    }))
}

fn limits(config: &Config) -> LimitStatus {
    LimitStatus {
        turns_in_flight: config.limits.turns_in_flight,
        tokens_a_person_and_day: config.limits.tokens_a_person,
        tokens_a_company_and_day: config.limits.tokens_a_company,
        storage_bytes: config.limits.storage_bytes,
    }
}

fn assistants(state: &AppState, offline: bool) -> Vec<AssistantStatus> {
    let loaded = state.app.manifests.loaded();
    let installed = state.runtime().installed();
    let all = installed.assistants().map(|assistant| AssistantStatus {
        name: assistant.name.to_string(),
        title: assistant.title.to_string(),
        model: (!offline).then(|| assistant.model.model.to_string()),
        tools: assistant.toolbox.defs().count(),
        roles: assistant.roles.clone(),
        from_manifest: loaded
            .iter()
            .any(|one| one.assistant.name == assistant.name),
    });
    all.collect()
}

async fn storage(state: &AppState) -> StorageStatus {
    let folder = state.app.config.data_dir.clone();
    let folder_bytes = tokio::task::spawn_blocking(move || bytes_in(&folder)).await;
    let (dialect, database_bytes) = database_size(state).await;
    let index = &state.app.knowledge_base.retrieval.index;
    let collections = index.collections(&[]).await.unwrap_or_default();
    let sum = |count: fn(&frontdesk_search::index::Collection) -> u32| {
        collections.iter().map(count).map(u64::from).sum()
    };
    StorageStatus {
        database: match dialect {
            Dialect::Sqlite => "sqlite",
            Dialect::Postgres => "postgres",
        },
        database_bytes,
        folder_bytes: folder_bytes.unwrap_or_default(),
        documents: sum(|one| one.documents),
        passages: sum(|one| one.chunks),
    }
}

async fn database_size(state: &AppState) -> (Dialect, Option<i64>) {
    let dialect = state.app.db.dialect();
    let sql = match dialect {
        Dialect::Sqlite => {
            "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()"
        }
        Dialect::Postgres => "SELECT pg_database_size(current_database()) AS bytes",
    };
    let found: Result<_, DbError> = state
        .app
        .db
        .read(&Claims::none(), move |tx| {
            Box::pin(async move { tx.row(sql, &[]).await })
        })
        .await;
    let size = found.ok().flatten().and_then(|row| row.get("bytes").ok());
    (dialect, size)
}

/// Links are not followed. What disappears meanwhile is not counted.
fn bytes_in(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes_in(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}
