//! What the page shows beside the conversation: lists, one pass with its history, photos, QR
//! code, print, notifications. Each route asks the Gate Pass API in the person's name.
//!
//! Nothing is decided or scanned here: what changes a pass goes through the assistant's
//! tools, with their grants, cards and audit. Marking a notification as read is the exception.

mod answer;
mod shapes;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, Query, RawPathParams};
use axum::http::Method;
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};
use frontdesk_core::access::{Principal, Role};

use super::api::{ApiRequest, Errand, FileKind, Retries};
use super::call;
use super::runner::Gate;
use answer::{Denied, whole};
use frontdesk_bundle::route::{Content, OwnRoute, Route};
use shapes::{
    GatePass, GatePassCounts, GatePassList, GatePassNotification, GatePassNotificationList,
    NoticeQuery, PassQuery,
};

/// A page does not wait as long as a conversation does.
const PATIENCE: Duration = Duration::from_secs(15);

/// How a route answers.
#[derive(Clone, Copy, Debug)]
enum ResponseSpec {
    Json,
    File(FileKind),
}

/// One route of the page and the requests it stands for, by role.
struct Door {
    verb: Verb,
    path: &'static str,
    /// The first role that the person holds decides which of the API's routes is asked.
    asks: &'static [(Role, &'static str)],
    /// What is passed on of the query; anything else is refused.
    query: &'static [&'static str],
    gives: ResponseSpec,
    /// What the reference says of it.
    told: fn(Route) -> Route,
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
const DOORS: &[Door] = &[
    Door { verb: Verb::Get, path: "/gatepass/passes", query: &["status", "q", "cursor", "limit"], gives: ResponseSpec::Json,
        asks: &[(ADMIN, "/admin/gatepass/list"), (HR, "/hr/gatepass/list"), (GATE, "/gate/gatepass/list")],
        told: |route| route.named("list_gate_passes", SUBJECT, "Gate passes, newest first")
            .query::<PassQuery>().gives::<GatePassList>(200, "A page of passes") },
    Door { verb: Verb::Get, path: "/gatepass/counts", query: &[], gives: ResponseSpec::Json,
        asks: &[(ADMIN, "/admin/gatepass/counts"), (HR, "/hr/gatepass/counts"), (GATE, "/gate/gatepass/counts")],
        told: |route| route.named("count_gate_passes", SUBJECT, "How many passes are in which state")
            .gives::<GatePassCounts>(200, "The counts") },
    Door { verb: Verb::Get, path: "/gatepass/passes/{pass_number}", query: &[], gives: ResponseSpec::Json,
        asks: &[(ADMIN, "/admin/gatepass/{pass_number}"), (HR, "/hr/gatepass/{pass_number}"), (GATE, "/gate/gatepass/number/{pass_number}")],
        told: |route| route.named("get_gate_pass", SUBJECT, "One pass with its history and photos")
            .path_name("pass_number", NUMBER).gives::<GatePass>(200, "The pass") },
    Door { verb: Verb::Get, path: "/gatepass/passes/{pass_number}/qr", query: &[], gives: ResponseSpec::File(FileKind::Png),
        asks: &[(ADMIN, "/qr/{pass_number}"), (HR, "/qr/{pass_number}"), (GATE, "/qr/{pass_number}")],
        told: |route| route.named("get_gate_pass_qr", SUBJECT, "The QR code of a pass")
            .path_name("pass_number", NUMBER).gives_content(200, "The picture", Content::File(&["image/png"])) },
    Door { verb: Verb::Get, path: "/gatepass/passes/{pass_number}/print", query: &[], gives: ResponseSpec::File(FileKind::Pdf),
        asks: &[(ADMIN, "/admin/gatepass/{pass_number}/print"), (HR, "/hr/gatepass/{pass_number}/print")],
        told: |route| route.named("print_gate_pass", SUBJECT, "A pass to be printed")
            .path_name("pass_number", NUMBER).gives_content(200, "The page", Content::File(&["application/pdf"])) },
    Door { verb: Verb::Get, path: "/gatepass/photos/{photo_id}", query: &[], gives: ResponseSpec::File(FileKind::Photo),
        asks: &[(ADMIN, "/media/photo/{photo_id}"), (HR, "/media/photo/{photo_id}"), (GATE, "/media/photo/{photo_id}")],
        told: |route| route.named("get_gate_pass_photo", SUBJECT, "A photo that was taken at the gate")
            .gives_content(200, "The picture", Content::File(&["image/jpeg", "image/png", "image/heic"])) },
    Door { verb: Verb::Get, path: "/gatepass/notifications/admin", query: &["cursor", "limit"], gives: ResponseSpec::Json,
        asks: &[(ADMIN, "/notifications/admin")],
        told: |route| route.named("list_admin_notifications", SUBJECT, "Notifications for those who decide")
            .query::<NoticeQuery>().gives::<GatePassNotificationList>(200, "A page of notifications") },
    Door { verb: Verb::Get, path: "/gatepass/notifications/hr", query: &["cursor", "limit"], gives: ResponseSpec::Json,
        asks: &[(HR, "/notifications/hr")],
        told: |route| route.named("list_hr_notifications", SUBJECT, "Notifications for those who ask for passes")
            .query::<NoticeQuery>().gives::<GatePassNotificationList>(200, "A page of notifications") },
    Door { verb: Verb::Post, path: "/gatepass/notifications/{notification_id}/read", query: &[], gives: ResponseSpec::Json,
        asks: &[(ADMIN, "/notifications/mark-read/{notification_id}"), (HR, "/notifications/mark-read/{notification_id}")],
        told: |route| route.named("read_gate_pass_notification", SUBJECT, "Mark a notification as read")
            .gives::<GatePassNotification>(200, "The notification") },
];

const SUBJECT: &str = "gate passes";
const NUMBER: &str = "The number of the pass, like GP-2026-0001.";
/// The person's role, the API's own refusals, and what happens when the API is away.
const REFUSES: &[u16] = &[403, 404, 422, 429, 502, 504];

/// What a request may say beside its path.
type FinalAnswer = Query<Vec<(String, String)>>;

/// The routes in words, before there is anything to answer them.
pub(crate) fn operations() -> Vec<Route> {
    DOORS.iter().map(Door::in_words).collect()
}

pub(super) fn routes(gate: &Arc<Gate>) -> Vec<OwnRoute> {
    DOORS
        .iter()
        .map(|door| door.in_words().answered_by(door.handler(gate)))
        .collect()
}

impl Door {
    fn in_words(&self) -> Route {
        let method = match self.verb {
            Verb::Get => Method::GET,
            Verb::Post => Method::POST,
        };
        (self.told)(Route::described(method, self.path)).refuses(REFUSES)
    }

    fn handler(&'static self, gate: &Arc<Gate>) -> MethodRouter {
        let gate = Arc::clone(gate);
        let handler = move |Extension(who): Extension<Principal>,
                            parameters: RawPathParams,
                            query: FinalAnswer| {
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
        Query(query): FinalAnswer,
    ) -> Result<Response, Denied> {
        let request = self.request(self.target(who)?, parameters, query)?;
        let quietly = |_: String| {};
        let errand = Errand {
            retries: Retries::Never,
            ..gate.client.errand(who, PATIENCE, &quietly)
        };
        let response = gate.client.send(&request, &errand).await?;
        whole(&response, self.gives, &request.segments)
    }

    /// The route of the API that this person may ask.
    fn target(&self, who: &Principal) -> Result<&'static str, Denied> {
        let found = self
            .asks
            .iter()
            .find(|(role, _)| who.holds_any(std::slice::from_ref(role)));
        let needed = || self.asks.iter().map(|(role, _)| role.as_str()).collect();
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
                    call::segment(given).ok_or_else(|| Denied::bad_segment(name))?
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
