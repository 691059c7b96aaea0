//! Taking documents in over HTTP: pages by their address and files as a form, with a report
//! at the end, and with how far it is on the way for those who want a stream.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::Event as SseEvent;
use axum::response::{IntoResponse, Response};
use frontdesk_core::id::CompanyId;
use frontdesk_core::search::SearchError;
use frontdesk_files::{Form, FormLimits, read_form};
use frontdesk_search::egress::Limits;
use frontdesk_search::ingest::{FailedUrl, Ingest, Options, Progress, Report, SentFile, Source};
use futures_util::stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::collections::{failed, place};
use super::messages::wants_stream;
use crate::http::Shared;
use crate::http::body::{BODY_TIME, JsonBody};
use crate::http::caller::Caller;
use crate::http::error::ApiError;
use crate::http::input::Ids;
use crate::http::route::{Content, Route, Takes};
use crate::http::stream::answer;
use crate::library::Quiet;

/// Pages that one request takes in at most.
const MOST_PAGES: usize = 20;
/// Files of one form, and what they may weigh together. Larger ones are for `frontdesk ingest`.
const MOST_FILES: usize = 20;
const MOST_BYTES: usize = 25 * 1024 * 1024;
/// The company, the folder, and some patience with empty fields.
const OTHER_PARTS: usize = 4;

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "sources";
    const ABOUT: &str = "With `Accept: text/event-stream` it is told on the way (`ingest.progress`: how many of how many) and the report comes as `ingest.report`.";
    vec![
        Route::post("/collections/{name}/documents", add)
            .named("add_document", SUBJECT, "Take in a page or a sitemap")
            .about(
                "For operators. An address must be public, or on the list of hosts of one's own.",
            )
            .takes::<DocumentCreate>()
            .gives::<TakenIn>(201, "What came of it")
            .gives_content(200, ABOUT, Content::IngestEvents)
            .refuses(&[403]),
        Route::post("/collections/{name}/files", upload)
            .named("add_files", SUBJECT, "Take in files")
            .about("For operators. A file of the same name takes the place of the former one.")
            .takes_form(Takes::Files)
            .gives::<TakenIn>(201, "What came of it")
            .gives_content(200, ABOUT, Content::IngestEvents)
            .refuses(&[403, 429]),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct DocumentCreate {
    /// Address of a page or a sitemap.
    url: String,
    /// The company that it is for; everyone when absent.
    company_id: Option<CompanyId>,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct TakenIn {
    success: usize,
    unchanged: usize,
    skipped: usize,
    total_chunks: usize,
    /// Why some could not be taken in.
    failed: Vec<NotTaken>,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct NotTaken {
    /// Its address.
    url: String,
    /// `http_error`, `parse_error`, `embedding_error` or `storage_error`.
    error_type: String,
    message: String,
}

impl From<Report> for TakenIn {
    fn from(report: Report) -> Self {
        let not_taken = |one: FailedUrl| NotTaken {
            error_type: json!(one.error_type).as_str().unwrap_or_default().to_owned(),
            url: one.url,
            message: one.message,
        };
        Self {
            success: report.success,
            unchanged: report.unchanged,
            skipped: report.skipped,
            total_chunks: report.total_chunks,
            failed: report.failed.into_iter().map(not_taken).collect(),
        }
    }
}

pub(in crate::http) async fn add(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids(name): Ids<String>,
    headers: HeaderMap,
    body: JsonBody<DocumentCreate>,
) -> Result<Response, ApiError> {
    let place = place(&who, name, body.value.company_id)?;
    let library = &shared.library;
    let egress = library.ingest.egress.with_limits(Limits::PERSON);
    let url = egress
        .check(&body.value.url)
        .map_err(|error| ApiError::invalid("url", error.to_string()))?;
    let work = Work {
        ingest: Ingest {
            index: library.ingest.index.clone(),
            embedder: library.ingest.embedder.clone(),
            egress,
        },
        options: Options {
            place: place.clone(),
            most_pages: MOST_PAGES,
            ..library.options(&place.collection)
        },
        source: Source::Address(url),
    };
    if wants_stream(&headers) {
        return Ok(work.streamed());
    }
    let report = work.run(&Quiet).await.map_err(failed)?;
    let refused = |one: &&FailedUrl| one.message.contains("address_not_allowed");
    if let Some(refused) = report.failed.iter().find(refused) {
        return Err(ApiError::invalid("url", refused.message.clone()));
    }
    Ok((StatusCode::CREATED, Json(TakenIn::from(report))).into_response())
}

pub(in crate::http) async fn upload(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids(name): Ids<String>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    // Who may not is told before anything is read.
    place(&who, name.clone(), None)?;
    let Ok(_place) = shared.uploads.try_acquire() else {
        return Err(ApiError::rate_limited(Duration::from_secs(1)));
    };
    let limits = FormLimits {
        bytes: MOST_BYTES,
        parts: MOST_FILES + OTHER_PARTS,
        time: BODY_TIME,
    };
    let sent = pick(read_form(request, limits).await?)?;
    let place = place(&who, name, sent.company)?;
    let library = &shared.library;
    let work = Work {
        ingest: Ingest {
            index: library.ingest.index.clone(),
            embedder: library.ingest.embedder.clone(),
            egress: library.ingest.egress.clone(),
        },
        options: Options {
            place: place.clone(),
            ..library.options(&place.collection)
        },
        source: Source::Sent(sent.files),
    };
    if wants_stream(&headers) {
        return Ok(work.streamed());
    }
    let report = work.run(&Quiet).await.map_err(failed)?;
    Ok((StatusCode::CREATED, Json(TakenIn::from(report))).into_response())
}

struct Sent {
    files: Vec<SentFile>,
    company: Option<CompanyId>,
}

fn pick(form: Form) -> Result<Sent, ApiError> {
    let (mut files, mut folder, mut company) = (Vec::new(), String::new(), None);
    let text = |name: &str, bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).map(|text| text.trim().to_owned());
        text.map_err(|_| ApiError::invalid(name, "must be text"))
    };
    for part in form {
        match part.name.as_str() {
            "file" => files.push(SentFile {
                path: part.file_name.unwrap_or_default(),
                bytes: part.bytes.into(),
            }),
            "folder" => folder = text("folder", &part.bytes)?,
            "company_id" => {
                let id = text("company_id", &part.bytes)?;
                let id: CompanyId = id
                    .parse()
                    .map_err(|_| ApiError::invalid("company_id", "must be a company's id"))?;
                company = Some(id);
            }
            other => {
                return Err(ApiError::invalid(
                    other,
                    "is not a field of this form; send file, folder and company_id",
                ));
            }
        }
    }
    if files.is_empty() {
        return Err(ApiError::invalid("file", "is required"));
    }
    if files.len() > MOST_FILES {
        let most = format!("at most {MOST_FILES} files in one form");
        return Err(ApiError::invalid("file", most));
    }
    let folder = folder.trim_matches('/');
    if !folder.is_empty() {
        for file in &mut files {
            file.path = format!("{folder}/{}", file.path);
        }
    }
    Ok(Sent { files, company })
}

/// One run of taking in.
struct Work {
    ingest: Ingest,
    options: Options,
    source: Source,
}

impl Work {
    async fn run(&self, progress: &dyn Progress) -> Result<Report, SearchError> {
        self.ingest.run(&self.source, &self.options, progress).await
    }

    /// The run as events. It goes on when nobody listens any more: what was begun is finished.
    fn streamed(self) -> Response {
        let (sender, receiver) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let told = Arc::new(Telling {
                found: AtomicUsize::new(0),
                done: AtomicUsize::new(0),
                sender,
            });
            match self.run(told.as_ref()).await {
                Ok(report) => told.say("ingest.report", json!(TakenIn::from(report))),
                Err(error) => {
                    let refused = failed(error);
                    told.say("ingest.failed", json!({ "message": refused.message }));
                }
            }
        });
        answer(stream::unfold(receiver, |mut receiver| async move {
            receiver.recv().await.map(|event| (event, receiver))
        }))
    }
}

/// Tells how far it is.
struct Telling {
    found: AtomicUsize,
    done: AtomicUsize,
    sender: mpsc::UnboundedSender<Result<SseEvent, Infallible>>,
}

impl Telling {
    fn say(&self, name: &str, data: Value) {
        let event = SseEvent::default().event(name).data(data.to_string());
        // Whoever has left misses it.
        let _ = self.sender.send(Ok(event));
    }
}

impl Progress for Telling {
    fn found(&self, total: usize) {
        self.found.store(total, Ordering::Relaxed);
    }

    fn done(&self, url: &str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let found = self.found.load(Ordering::Relaxed);
        self.say("ingest.progress", json!({ "done": done, "found": found, "url": url }));
    }
}
