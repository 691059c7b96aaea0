//! Indexed collections, their documents, and the source text of citations.

use axum::response::sse::Event as SseEvent;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::id::CompanyId;
use frontdesk_core::search::{Query, RetrievedChunk, Scopes, Search, SearchError};
use frontdesk_search::egress::{Egress, Limits};
use frontdesk_search::index::{Collection, DocumentEntry, Place, StoredDocument};
use frontdesk_search::ingest::{
    self, FailedUrl, Ingest, Options, Progress, Report, Source, UploadedFile,
};
use frontdesk_search::retrieval::Retrieval;
use futures_util::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::mpsc::{self, UnboundedSender};

use super::messages::wants_stream;
use super::{
    ApiError, AppState, Caller, Content, HeaderMap, Ids, Json, JsonBody, JsonResult, ListResponse,
    ListResult, MESSAGE_BYTES, NoContent, Params, Route, StatusCode,
};
use crate::http::stream;
use crate::knowledge_base::Quiet;

const MOST_PAGES: usize = 20;
const LONGEST_NAME: usize = 200;

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "sources";
    vec![
        Route::get("/collections", list)
            .named(
                "list_collections",
                SUBJECT,
                "List collections with documents that I may read",
            )
            .gives::<ListResponse<Collection>>(200, "By name"),
        Route::get("/collections/{name}/documents", documents)
            .named("list_documents", SUBJECT, "List the documents of a collection")
            .gives::<ListResponse<DocumentEntry>>(200, "By address"),
        Route::post("/collections/{name}/documents", add)
            .named("add_document", SUBJECT, "Add a page or a text")
            .about(
                "For Operators. Send either `url`, which must be public or in `search.allowed_hosts`, or `name` and `text`. With `Accept: text/event-stream` the response streams the progress: `progress`, then `finished` or `failed`.",
            )
            .takes::<DocumentCreate>()
            .gives_content(200, "The progress, if the client accepts a stream", Content::IngestEvents)
            .gives::<TakenIn>(201, "The result")
            .refuses(&[403]),
        Route::post("/collections/{name}/search", search)
            .named("search_collection", SUBJECT, "Find passages of a collection")
            .about("Searches the documents that you may read.")
            .takes::<SearchRequest>()
            .gives::<SearchResponse>(200, "Best first"),
        Route::delete("/collections/{name}/documents", remove)
            .named("remove_document", SUBJECT, "Remove a document")
            .about("For operators.")
            .query::<Address>()
            .gives_content(204, "It is gone", Content::Nothing)
            .refuses(&[403, 404]),
        Route::get("/sources/{name}", source)
            .named("get_source", SUBJECT, "Get the source text of a citation")
            .query::<FilePath>()
            .gives::<StoredDocument>(200, "The document and the positions of its passages")
            .refuses(&[404]),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct DocumentCreate {
    /// Address of a page or a sitemap.
    #[serde(default)]
    url: Option<String>,
    /// Name of your own text, e.g. `travel.md`.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200))]
    name: Option<String>,
    /// The text: Markdown, or the format given by the name's extension.
    #[serde(default)]
    text: Option<String>,
    /// The company that may read it; everyone if absent.
    company_id: Option<CompanyId>,
    /// Values by which searches can filter.
    #[serde(default)]
    metadata: BTreeMap<String, String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct SearchRequest {
    #[schemars(length(min = 1, max = 2_000))]
    query: String,
    /// How many passages to return.
    #[serde(default = "five")]
    #[schemars(range(min = 1, max = 100))]
    top_k: usize,
    /// The least score of a passage.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    score_threshold: f64,
    /// Only documents whose address begins so.
    #[serde(default)]
    url: Option<String>,
    /// Only documents with these values of metadata.
    #[serde(default)]
    filters: BTreeMap<String, String>,
}

fn five() -> usize {
    5
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct SearchResponse {
    query: String,
    chunks: Vec<FoundPassage>,
    total_results: usize,
    execution_time_seconds: f64,
    top_score: f64,
    avg_score: f64,
    /// A remark for the reader, e.g. that only keywords were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// A passage with its score and its place.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct FoundPassage {
    chunk_id: String,
    similarity_score: f64,
    chunk_text: String,
    url: String,
    title: Option<String>,
    /// The headings above the passage.
    section: Option<String>,
    /// The page of a PDF.
    page: Option<u32>,
    /// The passage with the text around it.
    context: Option<String>,
    chunk_index: u32,
    token_count: u32,
    timestamp: DateTime<Utc>,
    chunk_config: ChunkSettings,
    model_name: String,
    dimension: usize,
}

/// How a document was cut, in tokens.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ChunkSettings {
    chunk_size: u32,
    chunk_overlap: u32,
}

impl From<RetrievedChunk> for FoundPassage {
    fn from(chunk: RetrievedChunk) -> Self {
        Self {
            chunk_id: chunk.chunk_id,
            similarity_score: chunk.similarity_score,
            chunk_text: chunk.chunk_text,
            url: chunk.url,
            title: chunk.title,
            section: chunk.section,
            page: chunk.page,
            context: chunk.context,
            chunk_index: chunk.chunk_index,
            token_count: chunk.token_count,
            timestamp: chunk.timestamp,
            chunk_config: ChunkSettings {
                chunk_size: chunk.chunk_config.chunk_size,
                chunk_overlap: chunk.chunk_config.chunk_overlap,
            },
            model_name: chunk.model_name,
            dimension: chunk.dimension,
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct TakenIn {
    success: usize,
    unchanged: usize,
    skipped: usize,
    total_chunks: usize,
    /// Pages and files that failed, with the reason.
    failed: Vec<String>,
}

impl TakenIn {
    /// A forbidden address is an error of the request.
    pub(super) fn of(report: Report) -> Result<Self, ApiError> {
        let forbidden = |one: &&FailedUrl| one.message.contains("address_not_allowed");
        if let Some(refused) = report.failed.iter().find(forbidden) {
            return Err(ApiError::invalid("url", refused.message.clone()));
        }
        let why = |one: FailedUrl| format!("{}: {}", one.url, one.message);
        Ok(Self {
            success: report.success,
            unchanged: report.unchanged,
            skipped: report.skipped,
            total_chunks: report.total_chunks,
            failed: report.failed.into_iter().map(why).collect(),
        })
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Address {
    /// Address of the document.
    url: String,
    company_id: Option<CompanyId>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct FilePath {
    /// The part of a source's address after the collection.
    path: String,
}

async fn list(Caller { state, who }: Caller) -> ListResult<Collection> {
    let scopes = Scopes::of(&who);
    let retrieval = documents_of(&state).await?;
    let found = retrieval.index.collections(scopes.owners()).await;
    Ok(Json(ListResponse::complete(found.map_err(failed)?)))
}

async fn documents(
    Caller { state, who }: Caller,
    Ids(name): Ids<String>,
) -> ListResult<DocumentEntry> {
    let scopes = Scopes::of(&who);
    let retrieval = documents_of(&state).await?;
    let found = retrieval.index.documents(&name, scopes.owners()).await;
    let mut entries = found.map_err(failed)?;
    for entry in &mut entries {
        entry.url = retrieval.address(&entry.url);
    }
    Ok(Json(ListResponse::complete(entries)))
}

async fn search(
    Caller { state, who }: Caller,
    Ids(name): Ids<String>,
    body: JsonBody<SearchRequest, MESSAGE_BYTES>,
) -> JsonResult<SearchResponse> {
    let asked = body.value;
    let query = Query {
        top_k: asked.top_k,
        score_threshold: asked.score_threshold,
        url_prefix: asked.url,
        metadata: asked.filters.into_iter().collect(),
        ..Query::new(asked.query, name, Scopes::of(&who))
    };
    let found = state.app.knowledge_base.search(&query).await;
    let found = found.map_err(failed)?;
    Ok(Json(SearchResponse {
        query: found.query,
        total_results: found.total_results,
        execution_time_seconds: found.execution_time_seconds,
        top_score: found.top_score,
        avg_score: found.avg_score,
        note: found.note,
        chunks: found.chunks.into_iter().map(FoundPassage::from).collect(),
    }))
}

async fn add(
    Caller { state, who }: Caller,
    Ids(name): Ids<String>,
    headers: HeaderMap,
    body: JsonBody<DocumentCreate, MESSAGE_BYTES>,
) -> Result<Response, ApiError> {
    let place = place(&who, name, body.value.company_id)?;
    let knowledge_base = &state.app.knowledge_base;
    let egress = knowledge_base
        .ingest
        .egress
        .with_limits(Limits::API_REQUEST);
    let metadata = body.value.metadata.clone();
    let source = source_of(body.value, &egress)?;
    let ingest = Ingest {
        index: knowledge_base.ingest.index.clone(),
        embedder: knowledge_base.ingest.embedder.clone(),
        egress,
    };
    let mut options = knowledge_base.options(&place.collection);
    options.place = place;
    options.most_pages = MOST_PAGES;
    options.metadata = metadata;
    if wants_stream(&headers) {
        return Ok(stream::answer(watched(ingest, source, options)));
    }
    let report = ingest.run(&source, &options, &Quiet).await;
    let taken = TakenIn::of(report.map_err(failed)?)?;
    Ok((StatusCode::CREATED, Json(taken)).into_response())
}

/// The source: an address, or a text with a name.
fn source_of(given: DocumentCreate, egress: &Egress) -> Result<Source, ApiError> {
    match (given.url, given.name, given.text) {
        (Some(url), None, None) => egress
            .check(&url)
            .map(Source::Address)
            .map_err(|error| ApiError::invalid("url", error.to_string())),
        (None, Some(path), Some(text)) => {
            let plain = path.chars().count() <= LONGEST_NAME
                && !path.trim().is_empty()
                && !path.contains(['/', '\\'])
                && !path.chars().any(char::is_control);
            if !plain {
                return Err(ApiError::invalid("name", "must be a plain file name"));
            }
            // A name without an extension is Markdown.
            let path = match path.contains('.') {
                true => path,
                false => format!("{path}.md"),
            };
            let bytes = text.into_bytes();
            Ok(Source::Upload(vec![UploadedFile { path, bytes }]))
        }
        (url, _, _) => Err(match url {
            Some(_) => ApiError::invalid("url", "cannot be combined with `name` and `text`"),
            None => ApiError::invalid("url", "is required, or `name` and `text`"),
        }),
    }
}

/// Indexes the source and streams the progress. Continues if the client disconnects.
fn watched(
    ingest: Ingest,
    source: Source,
    options: Options,
) -> impl Stream<Item = Result<SseEvent, Infallible>> {
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let reporter = ProgressEvents {
            sender: sender.clone(),
            total: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
        };
        let report = ingest.run(&source, &options, &reporter).await;
        let end = match report.map_err(failed).and_then(TakenIn::of) {
            Ok(taken) => ("finished", json!(taken)),
            Err(error) => (
                "failed",
                json!({ "code": error.code, "message": error.message }),
            ),
        };
        // The client may have disconnected.
        let _ = sender.send(end);
    });
    futures_util::stream::unfold(receiver, |mut receiver| async move {
        let (name, data) = receiver.recv().await?;
        let event = SseEvent::default().event(name).data(data.to_string());
        Some((Ok(event), receiver))
    })
}

struct ProgressEvents {
    sender: UnboundedSender<(&'static str, Value)>,
    total: AtomicUsize,
    done: AtomicUsize,
}

impl ProgressEvents {
    fn tell(&self, url: Option<&str>) {
        let total = self.total.load(Ordering::Relaxed);
        let done = self.done.load(Ordering::Relaxed);
        let data = json!({ "total": total, "done": done, "url": url });
        // The client may have disconnected.
        let _ = self.sender.send(("progress", data));
    }
}

impl Progress for ProgressEvents {
    fn found(&self, total: usize) {
        self.total.store(total, Ordering::Relaxed);
        self.tell(None);
    }

    fn done(&self, url: &str) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.tell(Some(url));
    }
}

async fn remove(
    Caller { state, who }: Caller,
    Ids(name): Ids<String>,
    Params(address): Params<Address>,
) -> Result<NoContent, ApiError> {
    let place = place(&who, name, address.company_id)?;
    let retrieval = &state.app.knowledge_base.retrieval;
    let url = retrieval.stored_address(&address.url).to_owned();
    match retrieval
        .index
        .remove(&place, &[url])
        .await
        .map_err(failed)?
    {
        0 => Err(ApiError::not_found("Document")),
        _ => Ok(NoContent),
    }
}

async fn source(
    Caller { state, who }: Caller,
    Ids(collection): Ids<String>,
    Params(FilePath { path }): Params<FilePath>,
) -> JsonResult<StoredDocument> {
    let scopes = Scopes::of(&who);
    let retrieval = documents_of(&state).await?;
    let url = frontdesk_search::ingest::file_address(&collection, &path);
    let found = retrieval
        .index
        .document(&collection, scopes.owners(), &url)
        .await;
    let Some(document) = found.map_err(failed)? else {
        return Err(ApiError::not_found("Source"));
    };
    let url = retrieval.address(&document.url);
    Ok(Json(StoredDocument {
        collection,
        url,
        ..document
    }))
}

/// All documents, after those of the demo were indexed.
async fn documents_of(state: &AppState) -> Result<&Retrieval, ApiError> {
    let knowledge_base = &state.app.knowledge_base;
    knowledge_base.index_demo().await.map_err(failed)?;
    Ok(&knowledge_base.retrieval)
}

/// Only operators may change documents that everyone can read.
pub(super) fn place(
    who: &Principal,
    collection: String,
    company: Option<CompanyId>,
) -> Result<Place, ApiError> {
    let is_foreign = company.is_some_and(|company| !who.is_member_of(company));
    if !who.roles().contains(&Role::OPERATOR) || is_foreign {
        return Err(ApiError::forbidden("Only operators can change documents"));
    }
    ingest::check_name(&collection).map_err(failed)?;
    Ok(Place {
        collection,
        owner: company.map(|company| company.uuid()),
    })
}

pub(super) fn failed(error: SearchError) -> ApiError {
    match error {
        SearchError::Invalid(problem) => ApiError::invalid("documents", problem),
        SearchError::Configuration(_)
        | SearchError::Index(_)
        | SearchError::Embedding(_)
        | SearchError::TimedOut => {
            tracing::warn!("the index is unavailable: {error}");
            let message = "Documents are unavailable right now, please try again";
            ApiError::service_unavailable("SEARCH_UNAVAILABLE", message)
        }
    }
}
