//! Files of a conversation; its access rules apply to them.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use frontdesk_core::id::{AttachmentId, ConversationId};
use frontdesk_core::store::{Attachment, Attachments};
use frontdesk_files::{Form, FormError, FormLimits, read_form};
use sha2::{Digest, Sha256};
use std::time::Duration;

use super::{
    ApiError, Caller, Content, Created, Header, Ids, Naming, RequestBody, Route, idempotency_key,
};
use crate::runtime::{MAX_FILE_BYTES, Upload};

/// Each upload is buffered in memory.
pub(in crate::http) const UPLOADS_AT_ONCE: usize = 16;
/// Allowed size of a form in addition to its file, in bytes.
const FORM_OVERHEAD: usize = 64 * 1024;
/// Two fields, plus a margin for clients that send empty ones.
const MAX_PARTS: usize = 4;

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "files";
    vec![
        Route::post("/attachments", create)
            .named(
                "create_attachment",
                SUBJECT,
                "Attach a file to a conversation",
            )
            .about("Put its id into `attachments` of a message to show it to the assistant.")
            .header(Header::IdempotencyKey)
            .takes_form(RequestBody::Attachment)
            .gives::<Attachment>(201, "The stored file")
            .refuses(&[403, 404, 409, 429]),
        Route::get("/attachments/{id}", show)
            .named("get_attachment", SUBJECT, "Download a file")
            .gives_content(200, "The content of the file", Content::File(&["*/*"]))
            .refuses(&[403]),
    ]
}

struct NewFile {
    conversation: ConversationId,
    name: Option<String>,
    bytes: Vec<u8>,
}

async fn create(
    Caller { state, who }: Caller,
    request: Request,
) -> Result<Created<Attachment>, ApiError> {
    let Ok(_place) = state.uploads.try_acquire() else {
        return Err(ApiError::rate_limited(Duration::from_secs(1)));
    };
    let limits = FormLimits {
        bytes: MAX_FILE_BYTES + FORM_OVERHEAD,
        parts: MAX_PARTS,
        time: state.app.config.limits.timeouts.body,
    };
    let headers = request.headers().clone();
    let form = read_form(request, limits).await.map_err(refused)?;
    let file = pick(form)?;
    let key = idempotency_key(&headers, "POST /attachments", || file.fingerprint())?;
    let id = AttachmentId::from_uuid(state.app.env.id());
    let new = Upload {
        id,
        conversation: file.conversation,
        name: file.name,
        bytes: file.bytes,
        key,
    };
    let attached = state.runtime().attach(&who, new).await?;
    Ok(Created::new(attached.id != id, attached))
}

/// A form that is too large holds a file that is: the sentence names the file's limit.
fn refused(error: FormError) -> ApiError {
    match error {
        FormError::TooLarge => {
            ApiError::too_large(format!("The file is larger than {MAX_FILE_BYTES} bytes"))
        }
        FormError::NotAForm
        | FormError::Boundary
        | FormError::TooManyParts
        | FormError::LongHeaders
        | FormError::CutOff
        | FormError::Slow => error.into(),
    }
}

impl NewFile {
    /// A hash of all form fields.
    fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.conversation.uuid().as_bytes());
        hash.update(self.name.as_deref().unwrap_or_default().as_bytes());
        hash.update([0]);
        hash.update(&self.bytes);
        let digest = hash.finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn pick(form: Form) -> Result<NewFile, ApiError> {
    let (mut conversation, mut file) = (None, None);
    for part in form {
        let place = match part.name.as_str() {
            "conversation_id" => &mut conversation,
            "file" => &mut file,
            other => {
                return Err(ApiError::invalid(
                    other,
                    "is not a field of this form; send conversation_id and file",
                ));
            }
        };
        let name = part.name.clone();
        if place.replace(part).is_some() {
            return Err(ApiError::invalid(&name, "is given twice"));
        }
    }
    let conversation =
        conversation.ok_or_else(|| ApiError::invalid("conversation_id", "is required"))?;
    let file = file.ok_or_else(|| ApiError::invalid("file", "is required"))?;
    let id = std::str::from_utf8(&conversation.bytes).map(str::trim);
    Ok(NewFile {
        conversation: id
            .ok()
            .and_then(|id| id.parse().ok())
            .ok_or_else(|| ApiError::invalid("conversation_id", "must be a conversation's id"))?,
        name: file.file_name,
        bytes: file.bytes.into(),
    })
}

/// The stored bytes, never rendered by a browser on our origin.
async fn show(
    Caller { state, who }: Caller,
    Ids(id): Ids<AttachmentId>,
) -> Result<Response, ApiError> {
    let found = state.store().attachment(&who, id).await;
    let (attachment, bytes) = found.naming("attachment")?;
    let kind = match attachment.media_type.as_str() {
        // HTML is served as text on our origin.
        "text/plain" | "text/html" => "text/plain; charset=utf-8",
        other => other,
    };
    Ok(download(kind, &attachment.name, bytes))
}

/// A download with our media type, which no page can embed.
pub(super) fn download(kind: &str, name: &str, content: impl IntoResponse) -> Response {
    let value = |text: &str| HeaderValue::from_str(text).ok();
    let octets = HeaderValue::from_static("application/octet-stream");
    let headers: [(HeaderName, HeaderValue); 4] = [
        (header::CONTENT_TYPE, value(kind).unwrap_or(octets)),
        (
            header::CONTENT_DISPOSITION,
            value(&disposition(name)).unwrap_or(HeaderValue::from_static("attachment")),
        ),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("sandbox"),
        ),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-store"),
        ),
    ];
    let mut response = content.into_response();
    for (name, value) in headers {
        response.headers_mut().insert(name, value);
    }
    response
}

/// The file name in both forms of RFC 6266: plain for old clients, exact for all others.
fn disposition(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| match c {
            '"' | '\\' => '_',
            ' '..='~' => c,
            _ => '_',
        })
        .collect();
    let exact: String = name
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect();
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}")
}
