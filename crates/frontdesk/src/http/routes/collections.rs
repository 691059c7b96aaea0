//! What was taken in: collections, their documents, and the text that a citation leads to.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::search::{Scopes, SearchError};
use frontdesk_search::egress::Limits;
use frontdesk_search::index::Place;
use frontdesk_search::ingest::{self, Ingest, Source};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::http::Shared;
use crate::http::body::JsonBody;
use crate::http::caller::Caller;
use crate::http::error::ApiError;
use crate::http::input::{Ids, Params};
use crate::http::route::{Content, Route};
use crate::library::Quiet;

/// Pages that one request takes in at most.
const MOST_PAGES: usize = 20;

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "sources";
    vec![
        Route::get("/collections", list)
            .named(
                "list_collections",
                SUBJECT,
                "Collections with documents that you may read",
            )
            .gives::<Vec<CollectionEntry>>(200, "By name"),
        Route::get("/collections/{name}/documents", documents)
            .named("list_documents", SUBJECT, "Documents of a collection")
            .gives::<Vec<DocumentEntry>>(200, "By address"),
        Route::post("/collections/{name}/documents", add)
            .named("add_document", SUBJECT, "Take in a page or a text")
            .about(
                "For operators. An address must be public, or on the list of hosts of one's own.",
            )
            .takes::<DocumentCreate>()
            .gives::<TakenIn>(201, "What came of it")
            .refuses(&[403]),
        Route::delete("/collections/{name}/documents", remove)
            .named("remove_document", SUBJECT, "Remove a document")
            .about("For operators.")
            .query::<Address>()
            .gives_content(204, "It is gone", Content::Nothing)
            .refuses(&[403, 404]),
        Route::get("/sources/{name}", source)
            .named("get_source", SUBJECT, "The text that a citation leads to")
            .query::<FilePath>()
            .gives::<SourceText>(200, "The document and where its passages stand")
            .refuses(&[404]),
    ]
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct CollectionEntry {
    name: String,
    documents: u32,
    chunks: u32,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct DocumentEntry {
    url: String,
    title: String,
    chunks: u32,
    taken_in: DateTime<Utc>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct DocumentCreate {
    /// Address of a page or a sitemap.
    url: String,
    /// The company that it is for; everyone when absent.
    company_id: Option<frontdesk_core::id::CompanyId>,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct TakenIn {
    success: usize,
    unchanged: usize,
    skipped: usize,
    total_chunks: usize,
    /// Why pages could not be taken in.
    failed: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Address {
    /// Its address.
    url: String,
    company_id: Option<frontdesk_core::id::CompanyId>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct FilePath {
    /// What follows the collection in the address of a source.
    path: String,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct SourceText {
    collection: String,
    url: String,
    title: String,
    /// Markdown. Content to show, never to run.
    text: String,
    passages: Vec<Passage>,
}

/// Where a passage stands in the text, in bytes.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct Passage {
    chunk_id: String,
    begin: usize,
    end: usize,
}

pub(in crate::http) async fn list(
    State(shared): State<Shared>,
    Caller(who): Caller,
) -> Result<Json<Vec<CollectionEntry>>, ApiError> {
    let scopes = Scopes::of(&who);
    shared.library.seed().await.map_err(failed)?;
    let found = shared
        .library
        .retrieval
        .index
        .collections(scopes.owners())
        .await;
    let entries = found
        .map_err(failed)?
        .into_iter()
        .map(|one| CollectionEntry {
            name: one.name,
            documents: one.documents,
            chunks: one.chunks,
        });
    Ok(Json(entries.collect()))
}

pub(in crate::http) async fn documents(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids(name): Ids<String>,
) -> Result<Json<Vec<DocumentEntry>>, ApiError> {
    let scopes = Scopes::of(&who);
    shared.library.seed().await.map_err(failed)?;
    let retrieval = &shared.library.retrieval;
    let found = retrieval.index.documents(&name, scopes.owners()).await;
    let entries = found.map_err(failed)?.into_iter().map(|one| DocumentEntry {
        url: retrieval.address(&one.url),
        title: one.title,
        chunks: one.chunks,
        taken_in: one.taken_in,
    });
    Ok(Json(entries.collect()))
}

pub(in crate::http) async fn add(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids(name): Ids<String>,
    body: JsonBody<DocumentCreate>,
) -> Result<(StatusCode, Json<TakenIn>), ApiError> {
    let place = place(&who, name, body.value.company_id)?;
    let library = &shared.library;
    let egress = library.ingest.egress.with_limits(Limits::PERSON);
    let url = egress
        .check(&body.value.url)
        .map_err(|error| ApiError::invalid("url", error.to_string()))?;
    let ingest = Ingest {
        index: library.ingest.index.clone(),
        embedder: library.ingest.embedder.clone(),
        egress,
    };
    let mut options = library.options(&place.collection);
    options.place = place;
    options.most_pages = MOST_PAGES;
    let report = ingest
        .run(&Source::Address(url), &options, &Quiet)
        .await
        .map_err(failed)?;
    if let Some(refused) = report
        .failed
        .iter()
        .find(|one| one.message.contains("address_not_allowed"))
    {
        return Err(ApiError::invalid("url", refused.message.clone()));
    }
    let taken = TakenIn {
        success: report.success,
        unchanged: report.unchanged,
        skipped: report.skipped,
        total_chunks: report.total_chunks,
        failed: report.failed.into_iter().map(|one| one.message).collect(),
    };
    Ok((StatusCode::CREATED, Json(taken)))
}

pub(in crate::http) async fn remove(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids(name): Ids<String>,
    Params(address): Params<Address>,
) -> Result<StatusCode, ApiError> {
    let place = place(&who, name, address.company_id)?;
    let retrieval = &shared.library.retrieval;
    let url = retrieval.kept_address(&address.url).to_owned();
    match retrieval
        .index
        .remove(&place, &[url])
        .await
        .map_err(failed)?
    {
        0 => Err(ApiError::not_found("Document")),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

pub(in crate::http) async fn source(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids(collection): Ids<String>,
    Params(FilePath { path }): Params<FilePath>,
) -> Result<Json<SourceText>, ApiError> {
    let scopes = Scopes::of(&who);
    shared.library.seed().await.map_err(failed)?;
    let retrieval = &shared.library.retrieval;
    let url = frontdesk_search::ingest::file_address(&collection, &path);
    let found = retrieval
        .index
        .document(&collection, scopes.owners(), &url)
        .await;
    let Some(document) = found.map_err(failed)? else {
        return Err(ApiError::not_found("Source"));
    };
    Ok(Json(SourceText {
        collection,
        url: retrieval.address(&document.url),
        title: document.title,
        text: document.text,
        passages: document
            .passages
            .into_iter()
            .map(|passage| Passage {
                chunk_id: passage.chunk_id,
                begin: passage.begin,
                end: passage.end,
            })
            .collect(),
    }))
}

/// Only operators change what everyone may be told.
fn place(
    who: &Principal,
    collection: String,
    company: Option<frontdesk_core::id::CompanyId>,
) -> Result<Place, ApiError> {
    let is_member = |company| {
        who.companies()
            .iter()
            .any(|membership| membership.company == company)
    };
    if !who.roles().contains(&Role::OPERATOR) || company.is_some_and(|company| !is_member(company))
    {
        return Err(ApiError::forbidden("Only operators change documents"));
    }
    ingest::check_name(&collection).map_err(failed)?;
    Ok(Place {
        collection,
        owner: company.map(|company| company.uuid()),
    })
}

fn failed(error: SearchError) -> ApiError {
    match error {
        SearchError::Invalid(problem) => ApiError::invalid("documents", problem),
        SearchError::Configuration(_)
        | SearchError::Index(_)
        | SearchError::Embedding(_)
        | SearchError::TimedOut => {
            tracing::warn!("documents cannot be reached: {error}");
            ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "SEARCH_UNAVAILABLE",
                "Documents cannot be reached just now, please try again",
            )
        }
    }
}
