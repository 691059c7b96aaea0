//! Runs every tool of the table with one implementation. It checks the role and the photo before
//! any request is sent.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chrono_tz::Tz;
use frontdesk_core::access::Role;
use frontdesk_core::id::AttachmentId;
use frontdesk_core::store::StoreError;
use frontdesk_core::tool::{ProducedFile, ToolContext, ToolDef, ToolError, ToolErrorKind};
use frontdesk_core::toolbox::RunByData;
use serde_json::{Map, Value, json};

use super::api::{ApiRequest, Errand, Failed, Failure, FileKind, GatePassClient};
use super::call::Call;
use super::context::ConversationContext;
use super::errors;
use super::photo::{Photo, PhotoRules};
use super::replies::{self, RenderedReply, Reply};
use super::tools::{Entry, Kind};

/// Maximum number of pages read of a list; a longer list is marked as incomplete.
const MOST_PAGES: usize = 10;
/// A pass has an exit photo and a return photo; a system may store a few more.
const MOST_PICTURES: usize = 6;

/// State that all tools share.
pub(super) struct Gate {
    pub(super) client: GatePassClient,
    pub(super) photos: PhotoRules,
    pub(super) zone: Tz,
    /// The time limit of one call with all its attempts.
    pub(super) budget: Duration,
    /// Roles that approve a deletion; if empty, the person who asks confirms it.
    pub(super) delete_approvers: Vec<Role>,
}

/// One tool of the table.
pub(super) struct Runner {
    pub(super) entry: &'static Entry,
    pub(super) gate: Arc<Gate>,
}

#[async_trait]
impl RunByData for Runner {
    async fn run(
        &self,
        _: &ToolDef,
        ctx: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        errors::check_role(self.entry, ctx.principal())?;
        let call = Call::new(self.entry, arguments, ctx.principal());
        let context = ConversationContext::of(&ctx.conversation().metadata);
        match self.carry_out(ctx, &call).await {
            Ok(rendered) => {
                context.after(&call, rendered.mention).remember(ctx);
                ctx.suggest(self.entry.next.iter().map(|reply| (*reply).to_owned()));
                Ok((rendered.result, rendered.summary))
            }
            Err(error) => {
                if may_be_completed(error.kind) {
                    context
                        .interrupted(call.entry, &call.arguments)
                        .remember(ctx);
                }
                Err(error)
            }
        }
    }
}

/// Whether the same request can still succeed after a correction or a wait.
fn may_be_completed(kind: ToolErrorKind) -> bool {
    match kind {
        ToolErrorKind::Invalid | ToolErrorKind::Failed => true,
        ToolErrorKind::Refused | ToolErrorKind::Unknown => false,
    }
}

impl Runner {
    async fn carry_out(&self, ctx: &ToolContext, call: &Call) -> Result<RenderedReply, ToolError> {
        let photo = self.photo(ctx, call).await?;
        let request = call
            .request(photo, idempotency_key(ctx))
            .map_err(|bad| errors::bad_segment(self.entry, &bad))?;
        let progress = |text: String| ctx.progress(text);
        let client = &self.gate.client;
        let errand = client.errand(ctx.principal(), self.gate.budget, &progress);
        let rendered = match self.entry.reply.file() {
            Some(kind) => self.fetch_file(ctx, call, &request, kind, &errand).await,
            None => self.fetch(ctx, call, request, &errand).await,
        };
        rendered.map_err(|failed| errors::explain(failed, call))
    }

    /// The photo that the call names, validated, if the tool takes one.
    async fn photo(&self, ctx: &ToolContext, call: &Call) -> Result<Option<Photo>, ToolError> {
        let Some(parameter) = self.entry.parameter(Kind::Photo) else {
            return Ok(None);
        };
        let rules = &self.gate.photos;
        let missing = || errors::missing_photo(self.entry, rules);
        let named = call.text(parameter.name).unwrap_or_default().trim();
        let id: AttachmentId = named.parse().map_err(|_| missing())?;
        let found = ctx.attachments().attachment(ctx.principal(), id).await;
        let (attachment, bytes) = match found {
            Ok(found) => found,
            Err(StoreError::NotFound | StoreError::Forbidden) => return Err(missing()),
            Err(error) => return Err(ToolError::failed(error)),
        };
        if attachment.conversation_id != ctx.conversation().id {
            return Err(missing());
        }
        let size = bytes.len();
        let photo = rules
            .admit(bytes)
            .map_err(|unfit| errors::unfit_photo(self.entry, rules, unfit, size))?;
        Ok(Some(photo))
    }

    async fn fetch_file(
        &self,
        ctx: &ToolContext,
        call: &Call,
        request: &ApiRequest,
        kind: FileKind,
        errand: &Errand<'_>,
    ) -> Result<RenderedReply, Failed> {
        let (bytes, media_type) = self.file(request, kind, errand).await?;
        let (name, rendered) = self.entry.reply.render_file(call, bytes.len());
        ctx.attach(ProducedFile {
            name,
            media_type: media_type.to_owned(),
            bytes,
        });
        Ok(rendered)
    }

    async fn file(
        &self,
        request: &ApiRequest,
        kind: FileKind,
        errand: &Errand<'_>,
    ) -> Result<(Bytes, &'static str), Failed> {
        let response = self.gate.client.send(request, errand).await?;
        response.file(kind).map_err(unsettled)
    }

    async fn fetch(
        &self,
        ctx: &ToolContext,
        call: &Call,
        request: ApiRequest,
        errand: &Errand<'_>,
    ) -> Result<RenderedReply, Failed> {
        let reply = self.entry.reply;
        let mut answer = self.json(&request, errand).await?;
        if reply.is_list() {
            answer = self.all_pages(answer, request, errand).await?;
        }
        let mut rendered = reply
            .render(answer, call, self.gate.zone)
            .map_err(unsettled)?;
        if reply == Reply::Photos {
            self.attach_pictures(ctx, call, &mut rendered, errand).await;
        }
        Ok(rendered)
    }

    async fn json(&self, request: &ApiRequest, errand: &Errand<'_>) -> Result<Value, Failed> {
        let response = self.gate.client.send(request, errand).await?;
        response.json().map_err(unsettled)
    }

    /// Reads all pages of a list, so that counts cover the whole list.
    async fn all_pages(
        &self,
        mut answer: Value,
        mut request: ApiRequest,
        errand: &Errand<'_>,
    ) -> Result<Value, Failed> {
        let Some(mut items) = replies::items(&answer).cloned() else {
            return Ok(answer);
        };
        let mut pages = 1;
        let cursor = |answer: &Value| {
            let more = answer.get("has_more").and_then(Value::as_bool) == Some(true);
            let cursor = answer.get("cursor").and_then(Value::as_str);
            cursor.filter(|_| more).map(str::to_owned)
        };
        let mut next = cursor(&answer);
        while let Some(place) = next.as_deref().filter(|_| pages < MOST_PAGES) {
            request = request.next_page(place);
            answer = self.json(&request, errand).await?;
            items.extend(replies::items(&answer).into_iter().flatten().cloned());
            pages += 1;
            next = cursor(&answer);
        }
        Ok(replies::with_items(answer, items, next.is_some()))
    }

    /// Attaches the pictures to the conversation. If one cannot be loaded, the summary says so and
    /// the rest is skipped.
    async fn attach_pictures(
        &self,
        ctx: &ToolContext,
        call: &Call,
        rendered: &mut RenderedReply,
        errand: &Errand<'_>,
    ) {
        let photos = rendered
            .result
            .get("photos")
            .and_then(Value::as_array)
            .cloned();
        let mut files = Vec::new();
        for photo in photos.into_iter().flatten().take(MOST_PICTURES) {
            let path = photo
                .get("file_url")
                .and_then(Value::as_str)
                .and_then(own_path);
            let Some(segments) = path else {
                continue;
            };
            let request = ApiRequest::get(segments);
            let Ok((bytes, media_type)) = self.file(&request, FileKind::Photo, errand).await else {
                rendered
                    .summary
                    .push_str("\n\nA picture could not be fetched; try again in a moment.");
                break;
            };
            let number = call.pass_number().unwrap_or("photo");
            let extension = media_type.trim_start_matches("image/");
            let name = format!("{number}-{}.{extension}", files.len() + 1);
            files.push(json!(name));
            ctx.attach(ProducedFile {
                name,
                media_type: media_type.to_owned(),
                bytes,
            });
        }
        rendered.result["files"] = Value::Array(files);
    }
}

/// A success status with unusable content: a write has probably happened.
fn unsettled(failure: Failure) -> Failed {
    Failed {
        failure,
        unsure: true,
    }
}

/// A path within the API, as segments. URLs of other hosts are refused, because the request carries
/// a token.
fn own_path(path: &str) -> Option<Vec<String>> {
    let rest = path.strip_prefix('/')?;
    let good = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    let parts: Vec<String> = rest.split('/').map(str::to_owned).collect();
    parts.iter().all(|part| good(part)).then_some(parts)
}

/// The idempotency key of this call. A key that does not fit into a header is hashed, because a
/// model chooses part of it.
fn idempotency_key(ctx: &ToolContext) -> String {
    const LONGEST: usize = 255;
    let key = ctx.idempotency_key();
    if key.len() <= LONGEST && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return key;
    }
    frontdesk_core::approval::arguments_hash(&key)
}
