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
use frontdesk_connect::{
    ApiRequest, ApiResponse, CallOptions, Failed, FileKind, HttpMethod, RequestLine, segment,
};
use frontdesk_core::access::{Principal, Role};

use super::replies::is_pass_number;
use super::runner::Gate;
use super::tools;
use answer::{Denied, file, json};
use frontdesk_bundle::route::{Content, OwnRoute, Route};
pub(super) use page::passes as page_of_passes;
use shapes::{
    GatePass, GatePassCounts, GatePassList, GatePassNotification, GatePassNotificationList,
    NoticeQuery, PassQuery,
};

/// Shorter than a tool's timeout: the page is waiting.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The kind of a route's response.
#[derive(Clone, Copy, Debug)]
enum ResponseSpec {
    Passes,
    Counts,
    Pass,
    Notifications,
    Notification,
    File(FileKind),
}

/// One route of the page and the API requests behind it, by role.
struct PageRoute {
    verb: Verb,
    path: &'static str,
    /// The first role that the person holds selects the API route.
    targets: &'static [(Role, &'static str)],
    /// Query parameters that are passed on; others are refused.
    query: &'static [&'static str],
    gives: ResponseSpec,
    /// Adds the route's OpenAPI description.
    describe: fn(Route) -> Route,
}

#[derive(Clone, Copy, Debug)]
enum Verb {
    Get,
    Post,
}

const HR: Role = Role::HR_USER;
const ADMIN: Role = Role::ADMIN_USER;
const GATE: Role = Role::GATE_USER;

#[rustfmt::skip]
const PAGE_ROUTES: &[PageRoute] = &[
    PageRoute { verb: Verb::Get, path: "/gatepass/passes", query: &["status", "q", "cursor", "limit"], gives: ResponseSpec::Passes,
        targets: &[(ADMIN, "/admin/gatepass/list"), (HR, "/hr/gatepass/list"), (GATE, "/gate/gatepass/list")],
        describe: |route| route.named("list_gate_passes", SUBJECT, "Gate passes, newest first")
            .query::<PassQuery>().gives::<GatePassList>(200, "A page of passes") },
    PageRoute { verb: Verb::Get, path: "/gatepass/counts", query: &[], gives: ResponseSpec::Counts,
        targets: &[(ADMIN, "/admin/gatepass/counts"), (HR, "/hr/gatepass/counts"), (GATE, "/gate/gatepass/counts")],
        describe: |route| route.named("count_gate_passes", SUBJECT, "How many passes are in which state")
            .gives::<GatePassCounts>(200, "The counts") },
    PageRoute { verb: Verb::Get, path: "/gatepass/passes/{pass_number}", query: &[], gives: ResponseSpec::Pass,
        targets: &[(ADMIN, "/admin/gatepass/{pass_number}"), (HR, "/hr/gatepass/{pass_number}"), (GATE, "/gate/gatepass/number/{pass_number}")],
        describe: |route| route.named("get_gate_pass", SUBJECT, "One pass with its history and photos")
            .path_name("pass_number", NUMBER).gives::<GatePass>(200, "The pass") },
    PageRoute { verb: Verb::Get, path: "/gatepass/passes/{pass_number}/qr", query: &[], gives: ResponseSpec::File(FileKind::Image),
        targets: &[(ADMIN, "/qr/{pass_number}"), (HR, "/qr/{pass_number}"), (GATE, "/qr/{pass_number}")],
        describe: |route| route.named("get_gate_pass_qr", SUBJECT, "The QR code of a pass")
            .path_name("pass_number", NUMBER).gives_content(200, "The picture", Content::File(&["image/png"])) },
    PageRoute { verb: Verb::Get, path: "/gatepass/passes/{pass_number}/print", query: &[], gives: ResponseSpec::File(FileKind::Document),
        targets: &[(ADMIN, "/admin/gatepass/{pass_number}/print"), (HR, "/hr/gatepass/{pass_number}/print")],
        describe: |route| route.named("print_gate_pass", SUBJECT, "A pass to be printed")
            .path_name("pass_number", NUMBER).gives_content(200, "The page", Content::File(&["application/pdf"])) },
    PageRoute { verb: Verb::Get, path: "/gatepass/photos/{photo_id}", query: &[], gives: ResponseSpec::File(FileKind::Image),
        targets: &[(ADMIN, "/media/photo/{photo_id}"), (HR, "/media/photo/{photo_id}"), (GATE, "/media/photo/{photo_id}")],
        describe: |route| route.named("get_gate_pass_photo", SUBJECT, "A photo that was taken at the gate")
            .gives_content(200, "The picture", Content::File(&["image/jpeg", "image/png", "image/heic"])) },
    PageRoute { verb: Verb::Get, path: "/gatepass/notifications/admin", query: &["cursor", "limit"], gives: ResponseSpec::Notifications,
        targets: &[(ADMIN, "/notifications/admin")],
        describe: |route| route.named("list_admin_notifications", SUBJECT, "Notifications for those who decide")
            .query::<NoticeQuery>().gives::<GatePassNotificationList>(200, "A page of notifications") },
    PageRoute { verb: Verb::Get, path: "/gatepass/notifications/hr", query: &["cursor", "limit"], gives: ResponseSpec::Notifications,
        targets: &[(HR, "/notifications/hr")],
        describe: |route| route.named("list_hr_notifications", SUBJECT, "Notifications for those who ask for passes")
            .query::<NoticeQuery>().gives::<GatePassNotificationList>(200, "A page of notifications") },
    PageRoute { verb: Verb::Post, path: "/gatepass/notifications/{notification_id}/read", query: &[], gives: ResponseSpec::Notification,
        targets: &[(ADMIN, "/notifications/mark-read/{notification_id}"), (HR, "/notifications/mark-read/{notification_id}")],
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
        let method = match self.verb {
            Verb::Get => Method::GET,
            Verb::Post => Method::POST,
        };
        (self.describe)(Route::described(method, self.path)).refuses(REFUSES)
    }

    fn handler(&'static self, gate: &Arc<Gate>) -> MethodRouter {
        let gate = Arc::clone(gate);
        let handler = move |Extension(who): Extension<Principal>,
                            parameters: RawPathParams,
                            query: QueryPairs| {
            let gate = Arc::clone(&gate);
            async move { self.open(&gate, &who, &parameters, query).await }
        };
        let handler = match self.verb {
            Verb::Get => get(handler),
            Verb::Post => post(handler),
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
        let target = self.target(who)?;
        let request = self.request(target, parameters, query)?;
        let options = gate.source.once(who, TIMEOUT);
        let denied = |failed: Failed| Denied::because(&failed.failure, gate.source.source());
        let sent = gate.source.send(&request, None, &options).await;
        if let ResponseSpec::File(kind) = self.gives {
            let found = gate
                .source
                .file(&sent.map_err(denied)?, kind, &options)
                .await;
            return file(found.map_err(denied)?, parameters);
        }
        let is_list = matches!(self.gives, ResponseSpec::Passes | ResponseSpec::Counts);
        let answer = match sent {
            Err(failed) if failed.is_not_found() && is_list && target.starts_with("/gate/") => {
                return Err(Denied::no_list());
            }
            Err(failed) if failed.is_not_found() => {
                self.otherwise(gate, target, &request, &options, failed)
                    .await
            }
            other => other,
        };
        let body = answer.and_then(|answer| answer.json().map_err(Failed::unsettled));
        json(self.gives, body.map_err(denied)?, &request.query)
            .map_err(|failure| denied(Failed::unsettled(failure)))
    }

    /// The request that answers instead where an API has only the endpoints of the design: the list
    /// is counted here, and HR's pass is found by its number.
    async fn otherwise(
        &self,
        gate: &Gate,
        target: &str,
        request: &ApiRequest,
        options: &CallOptions<'_>,
        failed: Failed,
    ) -> Result<ApiResponse, Failed> {
        let path = |target: &str| target.split('/').skip(1).map(str::to_owned).collect();
        match self.gives {
            ResponseSpec::Counts => {
                let list = path(&target.replace("/counts", "/list"));
                gate.source
                    .send(&ApiRequest::get(list), None, options)
                    .await
            }
            ResponseSpec::Pass => {
                let frontdesk_connect::Target::Path(segments) = &request.target else {
                    return Err(failed);
                };
                let number = segments.last().filter(|number| is_pass_number(number));
                let line = RequestLine::new(HttpMethod::Get, "/hr/gatepass/list");
                let (Some(number), true) = (number, target.starts_with("/hr/")) else {
                    return Err(failed);
                };
                let lookup = tools::lookup(line);
                let Some(id) = gate.source.look_up(&lookup, number, options).await else {
                    return Err(failed);
                };
                let found = ApiRequest::get(["hr", "gatepass", &id].map(str::to_owned).to_vec());
                gate.source.send(&found, None, options).await
            }
            ResponseSpec::Passes
            | ResponseSpec::Notifications
            | ResponseSpec::Notification
            | ResponseSpec::File(_) => Err(failed),
        }
    }

    /// The API route for this person's role.
    fn target(&self, who: &Principal) -> Result<&'static str, Denied> {
        let found = self
            .targets
            .iter()
            .find(|(role, _)| who.holds_any(std::slice::from_ref(role)));
        let needed = || self.targets.iter().map(|(role, _)| role.as_str()).collect();
        found
            .map(|(_, target)| *target)
            .ok_or_else(|| Denied::role(needed()))
    }

    fn request(
        &self,
        target: &str,
        parameters: &RawPathParams,
        query: Vec<(String, String)>,
    ) -> Result<ApiRequest, Denied> {
        if let Some((name, _)) = query
            .iter()
            .find(|(n, _)| !self.query.contains(&n.as_str()))
        {
            return Err(Denied::unknown_query(name, self.query));
        }
        let mut segments = Vec::new();
        for part in target.split('/').filter(|part| !part.is_empty()) {
            let named = part.strip_prefix('{').and_then(|p| p.strip_suffix('}'));
            let given = |name| parameters.iter().find(|(known, _)| *known == name);
            segments.push(match named {
                Some(name) => {
                    let given = given(name).map_or("", |(_, value)| value);
                    segment(given).ok_or_else(|| Denied::bad_segment(name))?
                }
                None => part.to_owned(),
            });
        }
        Ok(ApiRequest {
            query,
            ..ApiRequest::get(segments)
        })
    }
}
