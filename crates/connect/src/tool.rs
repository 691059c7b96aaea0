//! Runs one operation of a source as a tool.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::tool::{ProducedFile, ToolContext, ToolDef, ToolError, ToolErrorKind};
use frontdesk_core::toolbox::RunByData;
use serde_json::{Map, Value, json};

use crate::client::{CallOptions, HttpSource, Link};
use crate::explain::{CallSubject, ErrorInfo, ErrorType, brief, explain};
use crate::failure::{Failed, Failure};
use crate::file;
use crate::files::FileAnswer;
use crate::operation::{Operation, Place};
use crate::request::{ApiRequest, BadArgument, Target};
use crate::response::{FileKind, ResponseRules, items, link, next_link, object};

/// Maximum number of pages read of a list; a longer list is marked as incomplete.
pub const MOST_PAGES: usize = 10;
/// Files attached to the answer of one call.
const MOST_FILES: usize = 6;

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
    /// Whether the response has an object with a declared field.
    pub has_object: bool,
    /// The file that the response is, or the files that its items link to.
    pub files: Vec<ProducedFile>,
    /// The cursor of the next page of the list.
    pub cursor: Option<String>,
}

/// The purpose and the limits of reading a response.
struct Reading<'a> {
    rules: &'a ResponseRules,
    options: &'a CallOptions<'a>,
    arguments: &'a Map<String, Value>,
    most_pages: usize,
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
        let summary = self.operation.in_words(&result.value, &arguments);
        result.files.into_iter().for_each(|file| ctx.attach(file));
        Ok((result.value, summary))
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
        let reading = Reading {
            rules: &self.operation.response,
            options: &options,
            arguments,
            most_pages: MOST_PAGES,
        };
        let writes = request.writes;
        let failed = match self.answer(request, &reading).await {
            Ok(result) if writes && self.is_contradicted(&result) => {
                Failure::Malformed("the object is not in the state after a success").into()
            }
            Ok(mut result) => {
                self.attach_linked(&mut result, &reading).await;
                return Ok(result);
            }
            Err(failed) => failed,
        };
        Err(self
            .explained(failed, def, ctx, arguments, options.deadline)
            .await)
    }

    /// Whether the object is in another state than a success leaves it in.
    fn is_contradicted(&self, result: &CallResult) -> bool {
        let Some(read) = &self.operation.state else {
            return false;
        };
        let state = read.pointer.find(&result.value).and_then(Value::as_str);
        let after = state.zip(read.after.as_deref());
        after.is_some_and(|(state, after)| !state.eq_ignore_ascii_case(after))
    }

    /// Reads outside a conversation, once and with all fields, for a page or a list of work.
    pub async fn read(
        &self,
        who: &Principal,
        arguments: &Map<String, Value>,
        query: &[(&str, &str)],
        most_pages: usize,
        budget: Duration,
    ) -> Result<CallResult, Failed> {
        let mut request = ApiRequest::new(&self.operation, arguments, None, Vec::new())
            .map_err(|_| Failure::Unusable("an argument is no identifier".into()))?;
        let added = query
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        request.query.extend(added);
        let rules = ResponseRules {
            rest: true,
            ..self.operation.response.clone()
        };
        let reading = Reading {
            rules: &rules,
            options: &self.source.once(who, budget),
            arguments,
            most_pages,
        };
        // The future is large, and callers join several.
        Box::pin(self.answer(request, &reading)).await
    }

    /// The response to a request. An object that the path does not know by this name, or that the
    /// response does not contain, is looked up.
    async fn answer(
        &self,
        request: ApiRequest,
        reading: &Reading<'_>,
    ) -> Result<CallResult, Failed> {
        let first = self.fetch(&request, reading).await;
        let Some(lookup) = self
            .operation
            .lookup
            .as_ref()
            .filter(|_| is_missing(&first))
        else {
            return first;
        };
        let name = reading.arguments.get(&lookup.parameter);
        let Some(name) = name.and_then(Value::as_str) else {
            return first;
        };
        let (id, found) = match self.source.find(lookup, name, reading.options).await {
            Ok(Some(found)) => found,
            // Without a look at the list, nobody knows whether the object exists.
            Err(failed) if first.is_err() && !request.writes => return Err(failed),
            Ok(None) | Err(_) => return first,
        };
        let mut answer = first;
        if answer.is_err() && id != name {
            let mut by_id = reading.arguments.clone();
            by_id.insert(lookup.parameter.clone(), Value::String(id));
            let line = &self.operation.request;
            if let Ok(again) = ApiRequest::reading(line, &self.operation, &by_id) {
                let target = again.target;
                answer = self.fetch(&ApiRequest { target, ..request }, reading).await;
            }
        }
        match is_missing(&answer) && answer.is_ok() {
            true => Ok(reading.rules.object_in(found, self.source.zone())),
            false => answer,
        }
    }

    async fn fetch(
        &self,
        request: &ApiRequest,
        reading: &Reading<'_>,
    ) -> Result<CallResult, Failed> {
        let rules = reading.rules;
        let answer = self
            .source
            .send(request, rules.success.as_ref(), reading.options)
            .await?;
        if let Some(kind) = rules.file {
            let found = self.source.file(&answer, kind, reading.options).await?;
            return Ok(self.of_file(found, reading.arguments));
        }
        let has_content = !answer.declares_no_content();
        let body = answer.json()?;
        let can_check = request.writes && self.operation.state.is_some();
        if !body.is_object() && has_content && can_check {
            return Err(Failure::Malformed("the answer is not an object").into());
        }
        if !rules.is_list(&body) {
            return Ok(rules.object_in(body, self.source.zone()));
        }
        let names_more = next_link(&body).is_some();
        let next = self.next_page(&body, request);
        let first = rules.list_in(body, self.source.zone())?;
        let mut list = self.all_pages(first, names_more, next, reading).await?;
        filter(&self.operation, &mut list.value, reading.arguments);
        Ok(list)
    }

    /// Reads all pages of a list, so that counts cover the whole list.
    async fn all_pages(
        &self,
        first: CallResult,
        mut names_more: bool,
        mut next: Option<ApiRequest>,
        reading: &Reading<'_>,
    ) -> Result<CallResult, Failed> {
        let rule = reading.rules.success.as_ref();
        let (mut list, mut cursor) = (first.value, first.cursor);
        let mut items = items_of(&mut list);
        for _ in 1..reading.most_pages {
            let Some(request) = next else { break };
            let answer = self.source.send(&request, rule, reading.options).await?;
            let body = answer.json()?;
            names_more = next_link(&body).is_some();
            next = self.next_page(&body, &request);
            let mut page = reading.rules.list_in(body, self.source.zone())?;
            cursor = page.cursor;
            items.extend(items_of(&mut page.value));
        }
        // A link to another host is not followed.
        let has_more = next.is_some() || names_more;
        list["count"] = json!(items.len());
        list["has_more"] = json!(has_more);
        list["items"] = Value::Array(items);
        Ok(CallResult {
            value: list,
            is_list: true,
            cursor: cursor.filter(|_| has_more),
            ..CallResult::default()
        })
    }

    /// The request of the next page: by cursor, or by the link that the response names.
    fn next_page(&self, body: &Value, request: &ApiRequest) -> Option<ApiRequest> {
        let rule = self.operation.response.next_page.as_ref();
        if let Some(rule) = rule
            && let Some(cursor) = rule.cursor_in(body)
        {
            let is_last = body.get("has_more") == Some(&Value::Bool(false));
            return (!is_last).then(|| request.clone().next_page(&rule.parameter, &cursor));
        }
        match self.source.link(next_link(body)?)? {
            Link::Fetch(urls) => {
                let url = urls.into_iter().next()?;
                Some(ApiRequest::read(Target::Url(url)))
            }
            Link::Elsewhere(_) => None,
        }
    }

    /// The result for a file: the file, or its address on a host that the source does not name.
    fn of_file(&self, found: FileAnswer, arguments: &Map<String, Value>) -> CallResult {
        let named = self.operation.request.names();
        let mut value: Map<String, Value> = named
            .filter_map(|name| Some((name.to_owned(), arguments.get(name)?.clone())))
            .collect();
        let mut files = Vec::new();
        match found {
            FileAnswer::Content(content) => {
                let file = content.named(&self.operation.file_name(arguments));
                value.insert("file".to_owned(), json!(file.name));
                value.insert("media_type".to_owned(), json!(file.media_type));
                value.insert("bytes".to_owned(), json!(file.bytes.len()));
                files.push(file);
            }
            FileAnswer::Elsewhere(url) => {
                value.insert("link".to_owned(), json!(url.as_str()));
            }
        }
        CallResult {
            value: Value::Object(value),
            has_object: true,
            files,
            ..CallResult::default()
        }
    }

    /// Fetches the files that the items of a list link to. `not_fetched` counts the others.
    async fn attach_linked(&self, result: &mut CallResult, reading: &Reading<'_>) {
        let Some(kind) = reading.rules.attach else {
            return;
        };
        let name = self.operation.file_name(reading.arguments);
        let links = result.value["items"].as_array().into_iter().flatten();
        let mut not_fetched = 0;
        for address in links.filter_map(link).take(MOST_FILES) {
            match self.linked(address, kind, reading.options).await {
                Some(content) => {
                    let name = format!("{name}-{}", result.files.len() + 1);
                    result.files.push(content.named(&name));
                }
                None => not_fetched += 1,
            }
        }
        let names: Vec<&str> = result.files.iter().map(|file| file.name.as_str()).collect();
        result.value["files"] = json!(names);
        result.value["not_fetched"] = json!(not_fetched);
    }

    async fn linked(
        &self,
        address: &str,
        kind: FileKind,
        options: &CallOptions<'_>,
    ) -> Option<crate::response::Content> {
        let name = &self.source.source().name;
        match self.source.linked(address, kind, options).await {
            Ok(FileAnswer::Content(content)) => return Some(content),
            Ok(FileAnswer::Elsewhere(url)) => {
                let host = url.host_str().unwrap_or_default();
                tracing::warn!(host, "a file of {name} is on another host");
            }
            Err(failed) => {
                tracing::warn!("a file was not fetched: {}", failed.failure.in_log(name));
            }
        }
        None
    }

    /// The error for a result that cannot be used.
    pub async fn unusable(
        &self,
        problem: &'static str,
        def: &ToolDef,
        ctx: &ToolContext,
        arguments: &Map<String, Value>,
    ) -> ToolError {
        let failed = Failure::Malformed(problem).into();
        self.explained(failed, def, ctx, arguments, ctx.now()).await
    }

    async fn explained(
        &self,
        failed: Failed,
        def: &ToolDef,
        ctx: &ToolContext,
        arguments: &Map<String, Value>,
        deadline: DateTime<Utc>,
    ) -> ToolError {
        let who = ctx.principal();
        let writes = def.spec.effect.writes();
        let is_state_refusal = failed
            .failure
            .refusal()
            .is_some_and(|refusal| matches!(refusal.status, 200..=299 | 400 | 403 | 409));
        let state = match is_state_refusal || (failed.unsure && writes) {
            true => self.state(who, arguments, deadline).await,
            false => None,
        };
        let list = self.lists.iter().find(|(_, roles)| who.holds_any(roles));
        let subject = CallSubject {
            source: self.source.source(),
            operation: &self.operation,
            tool: &def.name,
            writes,
            arguments,
            list_tool: list.map(|(name, _)| name.as_str()),
            state,
            call: ctx.idempotency_key(),
        };
        explain(failed, &subject)
    }

    /// The object's present state, if the operation declares how to read it.
    async fn state(
        &self,
        who: &Principal,
        arguments: &Map<String, Value>,
        deadline: DateTime<Utc>,
    ) -> Option<String> {
        let read = self.operation.state.as_ref()?;
        let request = ApiRequest::reading(&read.request, &self.operation, arguments).ok()?;
        let options = self.source.once(who, self.source.timeout());
        // There is no time left to ask.
        if options.deadline > deadline {
            return None;
        }
        let answer = match self.source.send(&request, None, &options).await {
            Err(failed) if failed.is_not_found() => return Some("gone".to_owned()),
            answer => answer.ok()?,
        };
        let body = answer.json().ok()?;
        let found = match &read.key {
            None => object(&body, &[&read.pointer])?,
            Some(key) => {
                let name = arguments.get(self.operation.request.names().next()?)?;
                items(&body)?
                    .iter()
                    .find(|item| key.find(item) == Some(name))?
            }
        };
        let state = read.pointer.find(found)?.as_str()?;
        Some(brief(state)).filter(|state| !state.is_empty())
    }

    fn bad_argument(&self, def: &ToolDef, bad: &BadArgument) -> ToolError {
        let source = &self.source.source().name;
        let (parameter, problem, remedy) = match bad {
            BadArgument::NoIdentifier(parameter) => (
                parameter,
                format!("`{parameter}` is not an identifier of {source}."),
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
        items_of(&mut self.value)
    }
}

/// Takes the items out of a list.
fn items_of(list: &mut Value) -> Vec<Value> {
    match list.get_mut("items").map(Value::take) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

/// Whether there is no such object, or the response does not contain it.
fn is_missing(answer: &Result<CallResult, Failed>) -> bool {
    match answer {
        Ok(result) => !result.is_list && !result.has_object,
        Err(failed) => failed.is_not_found(),
    }
}

/// Keeps the items of a list that contain all words of the call's filters, in any of their texts.
fn filter(operation: &Operation, list: &mut Value, arguments: &Map<String, Value>) {
    let filters = operation
        .parameters
        .iter()
        .filter(|(key, parameter)| operation.place(key, parameter) == Place::Filter);
    let words: Vec<String> = filters
        .filter_map(|(key, _)| arguments.get(key)?.as_str())
        .flat_map(|text| text.split_whitespace().map(str::to_lowercase))
        .collect();
    let Some(Value::Array(items)) = list.get_mut("items").filter(|_| !words.is_empty()) else {
        return;
    };
    items.retain(|item| {
        let fields = item.as_object().into_iter().flat_map(Map::values);
        let texts: Vec<&str> = fields.filter_map(Value::as_str).collect();
        let text = texts.join("\n").to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    });
    list["count"] = json!(items.len());
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
