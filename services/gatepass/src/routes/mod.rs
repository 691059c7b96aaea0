//! All routes in one table: path, roles, request, response and handler. The router and the
//! OpenAPI document are generated from it.

mod gate;
mod notifications;
mod passes;
mod picture;
mod printing;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use frontdesk_files::drain_refused_bodies;

use crate::auth::Role;
use crate::error::ApiError;
use crate::service::GatePass;

/// The API has no other methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Get,
    Post,
}

/// The input of a route besides its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestShape {
    Nothing,
    /// status, q, cursor, limit
    Filter,
    /// q, cursor, limit
    Search,
    /// cursor, limit
    Page,
    NewPass,
    Decision,
    Scan,
}

/// The success response of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResponseShape {
    NewPass,
    Pass,
    PassList,
    Counts,
    Deleted,
    Scanned,
    Photos,
    Inbox,
    Notification,
    Pdf,
    Qr,
    Photo,
}

pub(crate) struct Route {
    pub(crate) verb: Verb,
    pub(crate) path: &'static str,
    /// The name of the design's tool, if there is one.
    pub(crate) operation: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) roles: &'static [Role],
    pub(crate) takes: RequestShape,
    pub(crate) gives: ResponseShape,
    handler: fn() -> MethodRouter<GatePass>,
}

const HR: &[Role] = &[Role::Hr];
const ADMIN: &[Role] = &[Role::Admin];
const GATE: &[Role] = &[Role::Gate];
const OFFICE: &[Role] = &[Role::Admin, Role::Hr];
const ALL: &[Role] = &Role::ALL;

#[rustfmt::skip]
pub(crate) const ROUTES: &[Route] = &[
    Route { verb: Verb::Post, path: "/hr/gatepass/create", operation: "create_gate_pass", roles: HR,
        summary: "Create a new gate pass for a person.",
        takes: RequestShape::NewPass, gives: ResponseShape::NewPass, handler: || post(passes::create) },
    Route { verb: Verb::Get, path: "/hr/gatepass/list", operation: "list_gate_passes", roles: HR,
        summary: "List gate passes, newest first, optionally by status and by words.",
        takes: RequestShape::Filter, gives: ResponseShape::PassList, handler: || get(passes::list) },
    Route { verb: Verb::Get, path: "/hr/gatepass/counts", operation: "count_gate_passes", roles: HR,
        summary: "How many gate passes there are in each status.",
        takes: RequestShape::Nothing, gives: ResponseShape::Counts, handler: || get(passes::counts) },
    Route { verb: Verb::Get, path: "/hr/gatepass/{pass_id}", operation: "get_gate_pass_details", roles: HR,
        summary: "Get a gate pass with its history and photos by its id (its number is understood too).",
        takes: RequestShape::Nothing, gives: ResponseShape::Pass, handler: || get(passes::by_id) },
    Route { verb: Verb::Get, path: "/hr/gatepass/{pass_number}/print", operation: "print_gate_pass", roles: HR,
        summary: "The gate pass as a one-page PDF. Not while it is pending.",
        takes: RequestShape::Nothing, gives: ResponseShape::Pdf, handler: || get(printing::print) },

    Route { verb: Verb::Get, path: "/admin/gatepass/pending", operation: "list_pending_gate_passes", roles: ADMIN,
        summary: "List gate passes that wait for approval, newest first.",
        takes: RequestShape::Search, gives: ResponseShape::PassList, handler: || get(passes::pending) },
    Route { verb: Verb::Get, path: "/admin/gatepass/list", operation: "list_all_gate_passes_admin", roles: ADMIN,
        summary: "List gate passes, newest first, optionally by status and by words.",
        takes: RequestShape::Filter, gives: ResponseShape::PassList, handler: || get(passes::list) },
    Route { verb: Verb::Get, path: "/admin/gatepass/counts", operation: "count_gate_passes_admin", roles: ADMIN,
        summary: "How many gate passes there are in each status.",
        takes: RequestShape::Nothing, gives: ResponseShape::Counts, handler: || get(passes::counts) },
    Route { verb: Verb::Get, path: "/admin/gatepass/{pass_number}", operation: "get_gate_pass_by_number", roles: ADMIN,
        summary: "Get a gate pass with its history and photos by its number.",
        takes: RequestShape::Nothing, gives: ResponseShape::Pass, handler: || get(passes::by_number) },
    Route { verb: Verb::Post, path: "/admin/gatepass/{pass_number}/approve", operation: "approve_gate_pass", roles: ADMIN,
        summary: "Approve a pending gate pass.",
        takes: RequestShape::Decision, gives: ResponseShape::Pass, handler: || post(passes::approve) },
    Route { verb: Verb::Post, path: "/admin/gatepass/{pass_number}/reject", operation: "reject_gate_pass", roles: ADMIN,
        summary: "Reject a pending gate pass.",
        takes: RequestShape::Decision, gives: ResponseShape::Pass, handler: || post(passes::reject) },
    Route { verb: Verb::Post, path: "/admin/gatepass/{pass_number}/delete", operation: "delete_gate_pass", roles: ADMIN,
        summary: "Delete a gate pass that nobody has left on. Its record is kept.",
        takes: RequestShape::Decision, gives: ResponseShape::Deleted, handler: || post(passes::delete) },
    Route { verb: Verb::Get, path: "/admin/gatepass/{pass_number}/print", operation: "print_gate_pass_admin", roles: ADMIN,
        summary: "The gate pass as a one-page PDF. Not while it is pending.",
        takes: RequestShape::Nothing, gives: ResponseShape::Pdf, handler: || get(printing::print) },

    Route { verb: Verb::Post, path: "/gate/scan-exit", operation: "scan_exit", roles: GATE,
        summary: "Record that the person leaves the site, with a photo.",
        takes: RequestShape::Scan, gives: ResponseShape::Scanned, handler: || post(gate::scan_exit) },
    Route { verb: Verb::Post, path: "/gate/scan-return", operation: "scan_return", roles: GATE,
        summary: "Record that the person comes back to the site, with a photo.",
        takes: RequestShape::Scan, gives: ResponseShape::Scanned, handler: || post(gate::scan_return) },
    Route { verb: Verb::Get, path: "/gate/gatepass/list", operation: "list_gate_passes_gate", roles: GATE,
        summary: "List gate passes, newest first, optionally by status and by words.",
        takes: RequestShape::Filter, gives: ResponseShape::PassList, handler: || get(passes::list) },
    Route { verb: Verb::Get, path: "/gate/gatepass/counts", operation: "count_gate_passes_gate", roles: GATE,
        summary: "How many gate passes there are in each status.",
        takes: RequestShape::Nothing, gives: ResponseShape::Counts, handler: || get(passes::counts) },
    Route { verb: Verb::Get, path: "/gate/gatepass/number/{pass_number}", operation: "get_gate_pass_by_number_gate", roles: GATE,
        summary: "Get a gate pass with its history and photos by its number.",
        takes: RequestShape::Nothing, gives: ResponseShape::Pass, handler: || get(passes::by_number) },
    Route { verb: Verb::Get, path: "/gate/gatepass/id/{pass_id}", operation: "get_gate_pass_by_id_gate", roles: GATE,
        summary: "Get a gate pass with its history and photos by its id.",
        takes: RequestShape::Nothing, gives: ResponseShape::Pass, handler: || get(passes::by_id) },
    Route { verb: Verb::Get, path: "/gate/photos/{pass_number}", operation: "get_gate_pass_photos", roles: GATE,
        summary: "The photos that belong to a gate pass.",
        takes: RequestShape::Nothing, gives: ResponseShape::Photos, handler: || get(picture::of_pass) },

    Route { verb: Verb::Get, path: "/notifications/admin", operation: "get_admin_notifications", roles: ADMIN,
        summary: "Notifications for admins, newest first.",
        takes: RequestShape::Page, gives: ResponseShape::Inbox, handler: || get(notifications::admin) },
    Route { verb: Verb::Get, path: "/notifications/hr", operation: "get_hr_notifications", roles: HR,
        summary: "Notifications for HR, newest first.",
        takes: RequestShape::Page, gives: ResponseShape::Inbox, handler: || get(notifications::hr) },
    // A GET that changes state, as the contract requires; therefore HEAD, which clients
    // send on their own, is refused.
    Route { verb: Verb::Get, path: "/notifications/mark-read/{notification_id}", operation: "mark_notification_read", roles: OFFICE,
        summary: "Mark a notification of one's own role as read. Doing it again changes nothing.",
        takes: RequestShape::Nothing, gives: ResponseShape::Notification, handler: || get(notifications::mark_read).head(no_such_method) },

    Route { verb: Verb::Get, path: "/qr/{pass_number}", operation: "get_qr_code", roles: ALL,
        summary: "The QR code of a gate pass as PNG. It leads to the pass's page.",
        takes: RequestShape::Nothing, gives: ResponseShape::Qr, handler: || get(picture::qr) },
    Route { verb: Verb::Get, path: "/media/photo/{photo_id}", operation: "get_photo", roles: ALL,
        summary: "A photo that was taken at the gate.",
        takes: RequestShape::Nothing, gives: ResponseShape::Photo, handler: || get(picture::photo) },
];

/// The Gate Pass API as a router that can be mounted anywhere.
pub fn router(service: GatePass) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        let guard = from_fn_with_state((service.clone(), route.roles), admit);
        router = router.route(route.path, (route.handler)().route_layer(guard));
    }
    router
        .route("/openapi.json", get(|| async { Json(crate::openapi()) }))
        .fallback(|| async {
            ApiError::not_found("There is nothing at this address; see /openapi.json.")
        })
        .method_not_allowed_fallback(no_such_method)
        .layer(map_response(inert))
        .layer(from_fn(drain_refused_bodies))
        .with_state(service)
}

/// Admits a request if its caller is authenticated and has one of the route's roles.
async fn admit(
    State((service, roles)): State<(GatePass, &'static [Role])>,
    mut request: Request,
    next: Next,
) -> Response {
    let caller = service.verifier.caller(request.headers(), service.now());
    match caller.and_then(|caller| caller.require(roles).map(|()| caller)) {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(error) => error.into_response(),
    }
}

async fn no_such_method() -> ApiError {
    ApiError::new(
        axum::http::StatusCode::METHOD_NOT_ALLOWED,
        "METHOD_NOT_ALLOWED",
        "This address does not take that method; see /openapi.json.",
    )
}

/// Adds headers against caching, sniffing, framing and scripts.
async fn inert(mut response: Response) -> Response {
    const HEADERS: [(header::HeaderName, &str); 4] = [
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'; sandbox",
        ),
    ];
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}
