//! Routes of the page beside the conversation: lists, one pass with its history, photos, QR code,
//! print, notifications. Each route calls the Gate Pass API on behalf of the person.
//!
//! No decision or scan happens here: changes to a pass go through the assistant's tools, with their
//! grants, cards and audit. Marking a notification as read is the exception.

mod answer;
mod page;
mod shapes;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, Query, RawPathParams};
use axum::http::Method;
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};
use frontdesk_bundle::route::{Content, OwnRoute, Route};
use frontdesk_connect::{Failed, FileAnswer, FileKind, HttpTool, MOST_PAGES, segment};
use frontdesk_core::access::Principal;
use serde_json::{Map, Value};

use super::package::Gate;
use answer::{Denied, file, json};
use shapes::{
    GatePass, GatePassCounts, GatePassList, GatePassNotification, GatePassNotificationList,
    NoticeQuery, PassQuery,
};

/// Shorter than a tool's timeout: the page is waiting.
const TIMEOUT: Duration = Duration::from_secs(15);
/// The most items that the bundled API sends in a page.
pub(super) const LARGEST_PAGE: &str = "100";

/// The kind of a route's response.
#[derive(Clone, Copy, Debug)]
enum ResponseSpec {
    Passes,
    Counts,
    Pass,
    Notifications,
    Notification,
    File,
    /// A photo, by the id in its address.
    Photo,
}

/// One route of the page.
struct PageRoute {
    method: Method,
    path: &'static str,
    /// The first of these tools that the person may use reads the response.
    tools: &'static [&'static str],
    /// Accepted query parameters; others are refused.
    query: &'static [&'static str],
    gives: ResponseSpec,
    /// Adds the route's OpenAPI description.
    describe: fn(Route) -> Route,
}

/// Guards have no list in the design.
pub(super) const LISTS: &[&str] = &["list_all_gate_passes_admin", "list_gate_passes"];
const QR: &[&str] = &["get_qr_code"];

#[rustfmt::skip]
const PAGE_ROUTES: &[PageRoute] = &[
    PageRoute { method: Method::GET, path: "/gatepass/passes", query: &["status", "q", "cursor", "limit"], gives: ResponseSpec::Passes, tools: LISTS,
        describe: |route| route.named("list_gate_passes", SUBJECT, "Gate passes, newest first")
            .query::<PassQuery>().gives::<GatePassList>(200, "A page of passes") },
    PageRoute { method: Method::GET, path: "/gatepass/counts", query: &[], gives: ResponseSpec::Counts, tools: LISTS,
        describe: |route| route.named("count_gate_passes", SUBJECT, "How many passes are in which state")
            .gives::<GatePassCounts>(200, "The counts") },
    PageRoute { method: Method::GET, path: "/gatepass/passes/{pass_number}", query: &[], gives: ResponseSpec::Pass,
        tools: &["get_gate_pass_by_number", "get_gate_pass_details", "get_gate_pass_by_number_gate"],
        describe: |route| route.named("get_gate_pass", SUBJECT, "One pass with its history and photos")
            .path_name("pass_number", NUMBER).gives::<GatePass>(200, "The pass") },
    PageRoute { method: Method::GET, path: "/gatepass/passes/{pass_number}/qr", query: &[], gives: ResponseSpec::File, tools: QR,
        describe: |route| route.named("get_gate_pass_qr", SUBJECT, "The QR code of a pass")
            .path_name("pass_number", NUMBER).gives_content(200, "The picture", Content::File(&["image/png"])) },
    PageRoute { method: Method::GET, path: "/gatepass/passes/{pass_number}/print", query: &[], gives: ResponseSpec::File,
        tools: &["print_gate_pass_admin", "print_gate_pass"],
        describe: |route| route.named("print_gate_pass", SUBJECT, "A pass to be printed")
            .path_name("pass_number", NUMBER).gives_content(200, "The page", Content::File(&["application/pdf"])) },
    PageRoute { method: Method::GET, path: "/gatepass/photos/{photo_id}", query: &[], gives: ResponseSpec::Photo, tools: QR,
        describe: |route| route.named("get_gate_pass_photo", SUBJECT, "A photo that was taken at the gate")
            .gives_content(200, "The picture", Content::File(&["image/jpeg", "image/png", "image/heic"])) },
    PageRoute { method: Method::GET, path: "/gatepass/notifications/admin", query: &["cursor", "limit"], gives: ResponseSpec::Notifications,
        tools: &["get_admin_notifications"],
        describe: |route| route.named("list_admin_notifications", SUBJECT, "Notifications for those who decide")
            .query::<NoticeQuery>().gives::<GatePassNotificationList>(200, "A page of notifications") },
    PageRoute { method: Method::GET, path: "/gatepass/notifications/hr", query: &["cursor", "limit"], gives: ResponseSpec::Notifications,
        tools: &["get_hr_notifications"],
        describe: |route| route.named("list_hr_notifications", SUBJECT, "Notifications for those who ask for passes")
            .query::<NoticeQuery>().gives::<GatePassNotificationList>(200, "A page of notifications") },
    PageRoute { method: Method::POST, path: "/gatepass/notifications/{notification_id}/read", query: &[], gives: ResponseSpec::Notification,
        tools: &["mark_notification_read"],
        describe: |route| route.named("read_gate_pass_notification", SUBJECT, "Mark a notification as read")
            .gives::<GatePassNotification>(200, "The notification") },
];

/// Base path of these routes.
const MOUNTED: &str = "/api/v1/gatepass";
const SUBJECT: &str = "gate passes";
const NUMBER: &str = "The number of the pass, like GP-2026-0001.";
/// Statuses for a missing role, the API's own refusals, and an unreachable API.
const REFUSES: &[u16] = &[403, 404, 422, 429, 502, 504];

/// The query parameters of a request, in order.
type QueryPairs = Query<Vec<(String, String)>>;

/// The routes' OpenAPI descriptions, available before setup.
pub(crate) fn operations() -> Vec<Route> {
    PAGE_ROUTES.iter().map(PageRoute::description).collect()
}

pub(super) fn routes(gate: &Arc<Gate>) -> Vec<OwnRoute> {
    PAGE_ROUTES
        .iter()
        .map(|route| route.description().answered_by(route.handler(gate)))
        .collect()
}

impl PageRoute {
    fn description(&self) -> Route {
        (self.describe)(Route::described(self.method.clone(), self.path)).refuses(REFUSES)
    }

    fn handler(&'static self, gate: &Arc<Gate>) -> MethodRouter {
        let gate = Arc::clone(gate);
        let handler = move |Extension(who): Extension<Principal>,
                            parameters: RawPathParams,
                            query: QueryPairs| {
            let gate = Arc::clone(&gate);
            async move { self.open(&gate, &who, &parameters, query).await }
        };
        let handler = match self.method == Method::POST {
            true => post(handler),
            false => get(handler),
        };
        handler.layer(map_response(answer::inert))
    }

    async fn open(
        &self,
        gate: &Gate,
        who: &Principal,
        parameters: &RawPathParams,
        Query(query): QueryPairs,
    ) -> Result<Response, Denied> {
        let is_known = |name: &str| self.query.contains(&name);
        if let Some((name, _)) = query.iter().find(|(name, _)| !is_known(name)) {
            return Err(Denied::unknown_query(name, self.query));
        }
        let tool = gate.tool(who, self.tools);
        let tool = tool.ok_or_else(|| Denied::role(&gate.roles(self.tools)))?;
        let source = tool.source();
        let denied = |failed: Failed| Denied::because(&failed.failure, source.source());
        let named = match parameters.iter().next() {
            Some((name, value)) => Some(segment(value).ok_or_else(|| Denied::bad_segment(name))?),
            None => None,
        };
        if let (ResponseSpec::Photo, Some(id)) = (self.gives, &named) {
            let address = format!("/media/photo/{id}");
            let options = source.once(who, TIMEOUT);
            let found = source.linked(&address, FileKind::Image, &options).await;
            return match found.map_err(denied)? {
                FileAnswer::Content(content) => Ok(file(content.named(id))),
                FileAnswer::Elsewhere(url) => Err(Denied::elsewhere(url.as_str())),
            };
        }
        let arguments = arguments(tool, named, &query);
        let (query, pages) = match matches!(self.gives, ResponseSpec::Counts) {
            true => (vec![("limit", LARGEST_PAGE)], MOST_PAGES),
            false => (pairs(&query), 1),
        };
        let read = tool.read(who, &arguments, &query, pages, TIMEOUT).await;
        json(self.gives, read.map_err(denied)?).map_err(|failure| denied(failure.into()))
    }
}

/// The arguments of the tool: what the path names, and the filters of a list.
fn arguments(
    tool: &HttpTool,
    named: Option<String>,
    query: &[(String, String)],
) -> Map<String, Value> {
    let key = tool.operation().request.names().next();
    let named = key
        .zip(named)
        .map(|(key, value)| (key.to_owned(), value.into()));
    let filters = query.iter().filter_map(|(name, value)| {
        let parameter = match name.as_str() {
            "status" => "status",
            // An API that does not know the query sends all passes.
            "q" => "search",
            _ => return None,
        };
        Some((parameter.to_owned(), Value::from(value.as_str())))
    });
    named.into_iter().chain(filters).collect()
}

fn pairs(query: &[(String, String)]) -> Vec<(&str, &str)> {
    let others = query.iter().filter(|(name, _)| name != "status");
    others
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}
