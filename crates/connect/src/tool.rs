//! Runs one operation of a source as a tool.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::access::Role;
use frontdesk_core::tool::{
    NO_SUMMARY, ProducedFile, ToolContext, ToolDef, ToolError, ToolErrorKind,
};
use frontdesk_core::toolbox::RunByData;
use serde_json::{Map, Value, json};

use crate::client::{CallOptions, HttpSource, Link};
use crate::explain::{CallSubject, ErrorInfo, ErrorType, explain};
use crate::failure::{Failed, Failure};
use crate::file;
use crate::files::FileAnswer;
use crate::operation::{Operation, Place};
use crate::request::{ApiRequest, BadArgument, Target};
use crate::response::{Content, FileKind, identifier, next_link};

/// Maximum number of pages read of a list; a longer list is marked as incomplete.
const MOST_PAGES: usize = 10;
/// One operation of a source as a tool.
pub struct HttpTool {
    source: Arc<HttpSource>,
    operation: Operation,
    /// Tools that list such objects, and the roles that may use them.
    lists: Vec<(String, Vec<Role>)>,
}

/// The result of a call.
#[derive(Debug, Default)]
pub struct CallResult {
    /// The object, or the list with `count`, `has_more` and `items`.
    pub value: Value,
    /// Whether the value is a list.
    pub is_list: bool,
    /// The file, if the response is one.
    pub file: Option<ProducedFile>,
    /// The address of the file, if it is on a host that the source does not name.
    pub link: Option<String>,
}

/// A call of the tool.
struct Call<'a> {
    def: &'a ToolDef,
    ctx: &'a ToolContext,
    arguments: &'a Map<String, Value>,
    deadline: DateTime<Utc>,
}

#[async_trait]
impl RunByData for HttpTool {
    async fn run(
        &self,
        def: &ToolDef,
        ctx: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        let result = self.call(def, ctx, &arguments).await?;
        let summary = self.summary(&result, &arguments);
        let mut value = result.value;
        if let Some(file) = result.file {
            value = json!({ "file": file.name, "media_type": file.media_type, "bytes": file.bytes.len() });
            ctx.attach(file);
        }
        if let Some(link) = result.link {
            value = json!({ "link": link });
        }
        Ok((value, summary))
    }
}

impl HttpTool {
    pub fn new(source: Arc<HttpSource>, operation: Operation) -> Self {
        Self {
            source,
            operation,
            lists: Vec::new(),
        }
    }

    /// Names the tools that list such objects, for messages about missing ones.
    pub fn listed_by(mut self, lists: Vec<(String, Vec<Role>)>) -> Self {
        self.lists = lists;
        self
    }

    pub fn source(&self) -> &Arc<HttpSource> {
        &self.source
    }

    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// Runs the operation and explains a failure.
    pub async fn call(
        &self,
        def: &ToolDef,
        ctx: &ToolContext,
        arguments: &Map<String, Value>,
    ) -> Result<CallResult, ToolError> {
        let files = file::load(&def.name, &self.operation, arguments, ctx).await?;
        let mut request = ApiRequest::new(&self.operation, arguments, Some(ctx), files)
            .map_err(|bad| self.bad_argument(def, &bad))?;
        request.writes = def.spec.effect.writes();
        request.key = request.writes.then(|| idempotency_key(ctx));
        let progress = |text: String| ctx.progress(text);
        let options = self
            .source
            .options(ctx.principal(), self.source.budget(), &progress);
        let mut answer = self.fetch(request.clone(), &options, arguments).await;
        if let (Err(failed), Some(lookup)) = (&answer, &self.operation.lookup)
            && failed.is_not_found()
            && let Some(given) = arguments.get(&lookup.parameter).and_then(Value::as_str)
            && let Some(id) = self.source.look_up(lookup, given, &options).await
        {
            let mut found = arguments.clone();
            found.insert(lookup.parameter.clone(), Value::String(id));
            if let Ok(again) = ApiRequest::new(&self.operation, &found, Some(ctx), Vec::new()) {
                answer = self
                    .fetch(
                        ApiRequest {
                            target: again.target,
                            ..request
                        },
                        &options,
                        arguments,
                    )
                    .await;
            }
        }
        match answer {
            Ok(result) => Ok(result),
            Err(failed) => {
                let call = Call {
                    def,
                    ctx,
                    arguments,
                    deadline: options.deadline,
                };
                Err(self.explained(failed, &call).await)
            }
        }
    }

    async fn fetch(
        &self,
        request: ApiRequest,
        options: &CallOptions<'_>,
        arguments: &Map<String, Value>,
    ) -> Result<CallResult, Failed> {
        let rules = &self.operation.response;
        let answer = self
            .source
            .send(&request, rules.success.as_ref(), options)
            .await?;
        if let Some(kind) = rules.file {
            let found = self.source.file(&answer, kind, options).await?;
            return Ok(match found {
                FileAnswer::Content(content) => CallResult {
                    file: Some(produced(content, "file")),
                    ..CallResult::default()
                },
                FileAnswer::Elsewhere(url) => CallResult {
                    link: Some(url.to_string()),
                    ..CallResult::default()
                },
            });
        }
        let body = answer.json().map_err(Failed::unsettled)?;
        if body.is_null() && !answer.declares_no_content() && self.can_check(&request) {
            return Err(Failed::unsettled(Failure::Malformed("the answer is empty")));
        }
        let first = self.page(body.clone())?;
        if !first.is_list {
            return Ok(first);
        }
        let (items, has_more) = self.all_pages(first, body, request, options).await?;
        let items = filtered(&self.operation, items, arguments);
        Ok(CallResult::of_list(items, has_more))
    }

    /// Whether the effect of this request is seen in the state of its object.
    fn can_check(&self, request: &ApiRequest) -> bool {
        request.writes && self.operation.state.is_some()
    }

    fn page(&self, body: Value) -> Result<CallResult, Failed> {
        let rules = &self.operation.response;
        rules
            .read(body, self.source.zone())
            .map_err(Failed::unsettled)
    }

    /// Reads all pages of a list, so that counts cover the whole list.
    async fn all_pages(
        &self,
        first: CallResult,
        body: Value,
        mut request: ApiRequest,
        options: &CallOptions<'_>,
    ) -> Result<(Vec<Value>, bool), Failed> {
        let rule = self.operation.response.success.as_ref();
        let mut items = first.into_items();
        let mut next = self.next_page(&body, &request);
        let mut names_more = next_link(&body).is_some();
        for _ in 1..MOST_PAGES {
            let Some(page) = next else { break };
            request = page;
            let answer = self.source.send(&request, rule, options).await?;
            let body = answer.json().map_err(Failed::unsettled)?;
            items.extend(self.page(body.clone())?.into_items());
            next = self.next_page(&body, &request);
            names_more = next_link(&body).is_some();
        }
        // A link to another host is not followed.
        Ok((items, next.is_some() || names_more))
    }

    /// The request of the next page: by cursor, or by the link that the response names.
    fn next_page(&self, body: &Value, request: &ApiRequest) -> Option<ApiRequest> {
        let by_cursor = self.operation.response.next_page.as_ref().and_then(|rule| {
            let cursor = identifier(rule.cursor.find(body)?).filter(|text| !text.is_empty())?;
            Some(request.clone().next_page(&rule.parameter, &cursor))
        });
        if by_cursor.is_some() {
            let is_last = body.get("has_more") == Some(&Value::Bool(false));
            return by_cursor.filter(|_| !is_last);
        }
        match self.source.link(next_link(body)?)? {
            Link::Fetch(urls) => {
                let url = urls.into_iter().next()?;
                Some(ApiRequest::read(Target::Url(url)))
            }
            Link::Elsewhere(_) => None,
        }
    }

    /// Fetches a file that a result names, as `name` with its extension. A failure is logged and
    /// told as `None`; so is an address on a host that the source does not name.
    pub async fn fetch_file(
        &self,
        ctx: &ToolContext,
        address: &str,
        kind: FileKind,
        name: &str,
    ) -> Option<ProducedFile> {
        let progress = |text: String| ctx.progress(text);
        let options = self
            .source
            .options(ctx.principal(), self.source.budget(), &progress);
        match self.source.linked(address, kind, &options).await {
            Ok(FileAnswer::Content(content)) => Some(produced(content, name)),
            Ok(FileAnswer::Elsewhere(url)) => {
                let host = url.host_str().unwrap_or_default();
                tracing::warn!(
                    host,
                    "a file of {} is on another host",
                    self.source.source().name
                );
                None
            }
            Err(failed) => {
                let name = &self.source.source().name;
                tracing::warn!("a file was not fetched: {}", failed.failure.in_log(name));
                None
            }
        }
    }

    /// The error for a result that cannot be used.
    pub async fn unusable(
        &self,
        failure: Failure,
        def: &ToolDef,
        ctx: &ToolContext,
        arguments: &Map<String, Value>,
    ) -> ToolError {
        let call = Call {
            def,
            ctx,
            arguments,
            deadline: ctx.now(),
        };
        self.explained(Failed::unsettled(failure), &call).await
    }

    async fn explained(&self, failed: Failed, call: &Call<'_>) -> ToolError {
        let writes = call.def.spec.effect.writes();
        let is_state_refusal = failed
            .failure
            .refusal()
            .is_some_and(|refusal| matches!(refusal.status, 200..=299 | 400 | 403 | 409));
        let state = match is_state_refusal || (failed.unsure && writes) {
            true => self.state(call).await,
            false => None,
        };
        let principal = call.ctx.principal();
        let list = self
            .lists
            .iter()
            .find(|(_, roles)| principal.holds_any(roles));
        let subject = CallSubject {
            source: self.source.source(),
            operation: &self.operation,
            tool: &call.def.name,
            writes,
            arguments: call.arguments,
            list_tool: list.map(|(name, _)| name.as_str()),
            state,
            call: call.ctx.idempotency_key(),
        };
        explain(failed, &subject)
    }

    /// The object's present state, if the operation declares how to read it.
    async fn state(&self, call: &Call<'_>) -> Option<String> {
        let read = self.operation.state.as_ref()?;
        let request = ApiRequest::reading(&read.request, &self.operation, call.arguments).ok()?;
        let principal = call.ctx.principal();
        let options = self.source.once(principal, self.source.timeout());
        // There is no time left to ask.
        if options.deadline > call.deadline {
            return None;
        }
        let answer = match self.source.send(&request, None, &options).await {
            Err(failed) if failed.is_not_found() => return Some("gone".to_owned()),
            answer => answer.ok()?,
        };
        let body = answer.json().ok()?;
        let object = crate::response::object(&body, &[&read.pointer])?;
        let state = read.pointer.find(object)?.as_str()?;
        Some(crate::explain::brief(state)).filter(|state| !state.is_empty())
    }

    fn bad_argument(&self, def: &ToolDef, bad: &BadArgument) -> ToolError {
        let (parameter, problem, remedy) = match bad {
            BadArgument::NoIdentifier(parameter) => (
                parameter,
                format!(
                    "`{parameter}` is not an identifier of {}.",
                    self.source.source().name
                ),
                "Give it as it was shown in a list.",
            ),
            BadArgument::Unbound(parameter) => (
                parameter,
                format!("The sign-in does not tell `{parameter}`, which this action needs."),
                "Sign in with an account that has it.",
            ),
        };
        ErrorInfo::new(ErrorType::InvalidParameter, problem, remedy)
            .context("tool", &*def.name)
            .context("parameter", parameter.as_str())
            .into_error(ToolErrorKind::Invalid)
    }

    /// The result in words, by the operation's template.
    fn summary(&self, result: &CallResult, arguments: &Map<String, Value>) -> String {
        if let Some(link) = &result.link {
            return format!("The file is at {link}");
        }
        let Some(template) = &self.operation.summary else {
            // The result speaks for itself: it is shown as facts or as a table.
            return NO_SUMMARY.to_owned();
        };
        filled(template, &result.value, arguments)
    }
}

impl CallResult {
    pub(crate) fn of_list(items: Vec<Value>, has_more: bool) -> Self {
        Self {
            value: json!({ "count": items.len(), "has_more": has_more, "items": items }),
            is_list: true,
            ..Self::default()
        }
    }

    /// The items of a list.
    pub fn into_items(mut self) -> Vec<Value> {
        match self.value.get_mut("items").map(Value::take) {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        }
    }
}

fn produced(content: Content, name: &str) -> ProducedFile {
    ProducedFile {
        name: format!("{name}.{}", content.extension),
        media_type: content.media_type,
        bytes: content.bytes,
    }
}

/// The items that contain all words of the call's filters, in any of their texts.
fn filtered(
    operation: &Operation,
    items: Vec<Value>,
    arguments: &Map<String, Value>,
) -> Vec<Value> {
    let filters = operation
        .parameters
        .iter()
        .filter(|(key, parameter)| operation.place(key, parameter) == Place::Filter);
    let words: Vec<String> = filters
        .filter_map(|(key, _)| arguments.get(key)?.as_str())
        .flat_map(|text| text.split_whitespace().map(str::to_lowercase))
        .collect();
    if words.is_empty() {
        return items;
    }
    let fits = |item: &Value| {
        let text = texts(item).to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    items.into_iter().filter(fits).collect()
}

/// All texts directly in an item.
fn texts(item: &Value) -> String {
    let fields = item.as_object().into_iter().flat_map(Map::values);
    let texts: Vec<&str> = fields.filter_map(Value::as_str).collect();
    texts.join("\n")
}

/// A template with `{name}` replaced by the value of the result, else of the arguments.
fn filled(template: &str, value: &Value, arguments: &Map<String, Value>) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        text.push_str(before);
        let found = value.get(name).or_else(|| arguments.get(name));
        match found {
            Some(Value::String(found)) => text.push_str(&crate::explain::brief(found)),
            Some(Value::Null) | None => {}
            Some(other) => text.push_str(&crate::explain::brief(&other.to_string())),
        }
        rest = after;
    }
    text.push_str(rest);
    text
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
