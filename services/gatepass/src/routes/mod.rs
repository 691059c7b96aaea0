//! Every route in one table: path, roles, what it takes and gives, and who handles it. The router and the OpenAPI
//! document are both made from it.

mod gate;
mod notices;
mod passes;
mod picture;
mod printing;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use frontdesk_files::let_arrive;

use crate::auth::Role;
use crate::error::ApiError;
use crate::service::GatePass;

/// GET or POST: the API has no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Get,
    Post,
}

/// What a route takes beside its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
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

/// What a route answers with when it succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
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
    /// The name of the design's tool where there is one.
    pub(crate) operation: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) roles: &'static [Role],
    pub(crate) takes: Takes,
    pub(crate) gives: Gives,
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
        takes: Takes::NewPass, gives: Gives::NewPass, handler: || post(passes::create) },
    Route { verb: Verb::Get, path: "/hr/gatepass/list", operation: "list_gate_passes", roles: HR,
        summary: "List gate passes, newest first, optionally by status and by words.",
        takes: Takes::Filter, gives: Gives::PassList, handler: || get(passes::list) },
    Route { verb: Verb::Get, path: "/hr/gatepass/counts", operation: "count_gate_passes", roles: HR,
        summary: "How many gate passes there are in each status.",
        takes: Takes::Nothing, gives: Gives::Counts, handler: || get(passes::counts) },
    Route { verb: Verb::Get, path: "/hr/gatepass/{pass_id}", operation: "get_gate_pass_details", roles: HR,
        summary: "Get a gate pass with its history and photos by its id (its number is understood too).",
        takes: Takes::Nothing, gives: Gives::Pass, handler: || get(passes::by_id) },
    Route { verb: Verb::Get, path: "/hr/gatepass/{pass_number}/print", operation: "print_gate_pass", roles: HR,
        summary: "The gate pass as a one-page PDF. Not while it is pending.",
        takes: Takes::Nothing, gives: Gives::Pdf, handler: || get(printing::print) },

    Route { verb: Verb::Get, path: "/admin/gatepass/pending", operation: "list_pending_gate_passes", roles: ADMIN,
        summary: "List gate passes that wait for approval, newest first.",
        takes: Takes::Search, gives: Gives::PassList, handler: || get(passes::pending) },
    Route { verb: Verb::Get, path: "/admin/gatepass/list", operation: "list_all_gate_passes_admin", roles: ADMIN,
        summary: "List gate passes, newest first, optionally by status and by words.",
        takes: Takes::Filter, gives: Gives::PassList, handler: || get(passes::list) },
    Route { verb: Verb::Get, path: "/admin/gatepass/counts", operation: "count_gate_passes_admin", roles: ADMIN,
        summary: "How many gate passes there are in each status.",
        takes: Takes::Nothing, gives: Gives::Counts, handler: || get(passes::counts) },
    Route { verb: Verb::Get, path: "/admin/gatepass/{pass_number}", operation: "get_gate_pass_by_number", roles: ADMIN,
        summary: "Get a gate pass with its history and photos by its number.",
        takes: Takes::Nothing, gives: Gives::Pass, handler: || get(passes::by_number) },
    Route { verb: Verb::Post, path: "/admin/gatepass/{pass_number}/approve", operation: "approve_gate_pass", roles: ADMIN,
        summary: "Approve a pending gate pass.",
        takes: Takes::Decision, gives: Gives::Pass, handler: || post(passes::approve) },
    Route { verb: Verb::Post, path: "/admin/gatepass/{pass_number}/reject", operation: "reject_gate_pass", roles: ADMIN,
        summary: "Reject a pending gate pass.",
        takes: Takes::Decision, gives: Gives::Pass, handler: || post(passes::reject) },
    Route { verb: Verb::Post, path: "/admin/gatepass/{pass_number}/delete", operation: "delete_gate_pass", roles: ADMIN,
        summary: "Delete a gate pass that nobody has left on. Its record is kept.",
        takes: Takes::Decision, gives: Gives::Deleted, handler: || post(passes::delete) },
    Route { verb: Verb::Get, path: "/admin/gatepass/{pass_number}/print", operation: "print_gate_pass_admin", roles: ADMIN,
        summary: "The gate pass as a one-page PDF. Not while it is pending.",
        takes: Takes::Nothing, gives: Gives::Pdf, handler: || get(printing::print) },

    Route { verb: Verb::Post, path: "/gate/scan-exit", operation: "scan_exit", roles: GATE,
        summary: "Record that the person leaves the site, with a photo.",
        takes: Takes::Scan, gives: Gives::Scanned, handler: || post(gate::scan_exit) },
    Route { verb: Verb::Post, path: "/gate/scan-return", operation: "scan_return", roles: GATE,
        summary: "Record that the person comes back to the site, with a photo.",
        takes: Takes::Scan, gives: Gives::Scanned, handler: || post(gate::scan_return) },
    Route { verb: Verb::Get, path: "/gate/gatepass/list", operation: "list_gate_passes_gate", roles: GATE,
        summary: "List gate passes, newest first, optionally by status and by words.",
        takes: Takes::Filter, gives: Gives::PassList, handler: || get(passes::list) },
    Route { verb: Verb::Get, path: "/gate/gatepass/counts", operation: "count_gate_passes_gate", roles: GATE,
        summary: "How many gate passes there are in each status.",
        takes: Takes::Nothing, gives: Gives::Counts, handler: || get(passes::counts) },
    Route { verb: Verb::Get, path: "/gate/gatepass/number/{pass_number}", operation: "get_gate_pass_by_number_gate", roles: GATE,
        summary: "Get a gate pass with its history and photos by its number.",
        takes: Takes::Nothing, gives: Gives::Pass, handler: || get(passes::by_number) },
    Route { verb: Verb::Get, path: "/gate/gatepass/id/{pass_id}", operation: "get_gate_pass_by_id_gate", roles: GATE,
        summary: "Get a gate pass with its history and photos by its id.",
        takes: Takes::Nothing, gives: Gives::Pass, handler: || get(passes::by_id) },
    Route { verb: Verb::Get, path: "/gate/photos/{pass_number}", operation: "get_gate_pass_photos", roles: GATE,
        summary: "The photos that belong to a gate pass.",
        takes: Takes::Nothing, gives: Gives::Photos, handler: || get(picture::of_pass) },

    Route { verb: Verb::Get, path: "/notifications/admin", operation: "get_admin_notifications", roles: ADMIN,
        summary: "Notifications for admins, newest first.",
        takes: Takes::Page, gives: Gives::Inbox, handler: || get(notices::admin) },
    Route { verb: Verb::Get, path: "/notifications/hr", operation: "get_hr_notifications", roles: HR,
        summary: "Notifications for HR, newest first.",
        takes: Takes::Page, gives: Gives::Inbox, handler: || get(notices::hr) },
    // A GET that changes something, as the contract has it: so HEAD, which clients send unasked, is refused.
    Route { verb: Verb::Get, path: "/notifications/mark-read/{notification_id}", operation: "mark_notification_read", roles: OFFICE,
        summary: "Mark a notification of one's own role as read. Doing it again changes nothing.",
        takes: Takes::Nothing, gives: Gives::Notification, handler: || get(notices::mark_read).head(no_such_method) },

    Route { verb: Verb::Get, path: "/qr/{pass_number}", operation: "get_qr_code", roles: ALL,
        summary: "The QR code of a gate pass as PNG. It leads to the pass's page.",
        takes: Takes::Nothing, gives: Gives::Qr, handler: || get(picture::qr) },
    Route { verb: Verb::Get, path: "/media/photo/{photo_id}", operation: "get_photo", roles: ALL,
        summary: "A photo that was taken at the gate.",
        takes: Takes::Nothing, gives: Gives::Photo, handler: || get(picture::photo) },
];

/// The Gate Pass API as a router, to be mounted anywhere.
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
        .layer(from_fn(let_arrive))
        .with_state(service)
}

/// Lets a request through if its caller is known and has one of the route's roles.
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

/// Nothing that we answer is cached, guessed at, framed or run.
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
