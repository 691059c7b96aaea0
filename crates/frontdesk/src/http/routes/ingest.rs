//! Uploads files for indexing, as `frontdesk ingest` does for a folder.

use axum::extract::Request;
use frontdesk_core::id::CompanyId;
use frontdesk_files::{Form, FormLimits, read_form};
use frontdesk_search::ingest::{Options, Source, UploadedFile};
use std::collections::BTreeMap;
use std::time::Duration;

use super::collections::{TakenIn, failed, place};
use super::{ApiError, Caller, Ids, Json, RequestBody, Route, StatusCode};
use crate::knowledge_base::Quiet;

/// Limits of one form. Larger sets need `frontdesk ingest`.
const MOST_FILES: usize = 20;
const MOST_BYTES: usize = 25 * 1024 * 1024;
/// The company, the folder and the metadata, plus a margin for empty fields.
const OTHER_PARTS: usize = 5;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post("/collections/{name}/files", upload)
            .named("add_files", "sources", "Add files")
            .about("For Operators. A file replaces an earlier one of the same name.")
            .takes_form(RequestBody::Files)
            .gives::<TakenIn>(201, "The result")
            .refuses(&[403, 429]),
    ]
}

async fn upload(
    Caller { state, who }: Caller,
    Ids(name): Ids<String>,
    request: Request,
) -> Result<(StatusCode, Json<TakenIn>), ApiError> {
    // Checks the permission before the body is read.
    place(&who, name.clone(), None)?;
    let Ok(_place) = state.uploads.try_acquire() else {
        return Err(ApiError::rate_limited(Duration::from_secs(1)));
    };
    let limits = FormLimits {
        bytes: MOST_BYTES,
        parts: MOST_FILES + OTHER_PARTS,
        time: state.app.config.limits.timeouts.body,
    };
    let sent = pick(read_form(request, limits).await?)?;
    let place = place(&who, name, sent.company)?;
    let knowledge_base = &state.app.knowledge_base;
    let options = Options {
        place: place.clone(),
        metadata: sent.metadata,
        ..knowledge_base.options(&place.collection)
    };
    let source = Source::Upload(sent.files);
    let report = knowledge_base.ingest.run(&source, &options, &Quiet).await;
    let taken = TakenIn::of(report.map_err(failed)?)?;
    Ok((StatusCode::CREATED, Json(taken)))
}

struct IngestForm {
    files: Vec<UploadedFile>,
    company: Option<CompanyId>,
    metadata: BTreeMap<String, String>,
}

fn pick(form: Form) -> Result<IngestForm, ApiError> {
    let (mut files, mut folder, mut company) = (Vec::new(), String::new(), None);
    let mut metadata = BTreeMap::new();
    let text = |name: &str, bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).map(|text| text.trim().to_owned());
        text.map_err(|_| ApiError::invalid(name, "must be text"))
    };
    for part in form {
        match part.name.as_str() {
            "file" => files.push(UploadedFile {
                path: part.file_name.unwrap_or_default(),
                bytes: part.bytes.into(),
            }),
            "folder" => folder = text("folder", &part.bytes)?,
            "metadata" => {
                metadata = serde_json::from_slice(&part.bytes)
                    .map_err(|_| ApiError::invalid("metadata", "must be a JSON object of texts"))?;
            }
            "company_id" => {
                let id = text("company_id", &part.bytes)?;
                let id = id.parse::<CompanyId>();
                let id = id.map_err(|_| ApiError::invalid("company_id", "must be a company's id"));
                company = Some(id?);
            }
            other => {
                return Err(ApiError::invalid(
                    other,
                    "is not a field of this form; send file, folder, metadata and company_id",
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
    Ok(IngestForm {
        files,
        company,
        metadata,
    })
}
