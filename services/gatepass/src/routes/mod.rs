//! All routes in one table: path, roles and handler. `openapi.json` describes them; tests compare
//! both.

mod gate;
mod notifications;
mod passes;
mod picture;
mod printing;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use frontdesk_files::drain_refused_bodies;

use crate::auth::Role;
use crate::error::ApiError;
use crate::pass::Action;
use crate::service::GatePass;
use crate::tables::notifications::Audience;
use crate::tables::photos::ScanKind;

/// The OpenAPI 3.1 document.
pub const OPENAPI: &str = include_str!("../../openapi.json");

struct Route {
    path: &'static str,
    roles: &'static [Role],
    handler: fn() -> MethodRouter<GatePass>,
}

const fn route(
    path: &'static str,
    roles: &'static [Role],
    handler: fn() -> MethodRouter<GatePass>,
) -> Route {
    Route {
        path,
        roles,
        handler,
    }
}

const HR: &[Role] = &[Role::Hr];
const ADMIN: &[Role] = &[Role::Admin];
const GATE: &[Role] = &[Role::Gate];
const OFFICE: &[Role] = &[Role::Admin, Role::Hr];
const ALL: &[Role] = &Role::ALL;

#[rustfmt::skip]
const ROUTES: &[Route] = &[
    route("/hr/gatepass/create", HR, || post(passes::create)),
    route("/hr/gatepass/list", HR, || get(passes::list)),
    route("/hr/gatepass/counts", HR, || get(passes::counts)),
    route("/hr/gatepass/{pass_id}", HR, || get(passes::by_id)),
    route("/hr/gatepass/{pass_number}/print", HR, || get(printing::print)),

    route("/admin/gatepass/pending", ADMIN, || get(passes::pending)),
    route("/admin/gatepass/list", ADMIN, || get(passes::list)),
    route("/admin/gatepass/counts", ADMIN, || get(passes::counts)),
    route("/admin/gatepass/{pass_number}", ADMIN, || get(passes::by_number)),
    route("/admin/gatepass/{pass_number}/approve", ADMIN, || passes::decision(Action::Approve, "approve_gate_pass")),
    route("/admin/gatepass/{pass_number}/reject", ADMIN, || passes::decision(Action::Reject, "reject_gate_pass")),
    route("/admin/gatepass/{pass_number}/delete", ADMIN, || passes::decision(Action::Delete, "delete_gate_pass")),
    route("/admin/gatepass/{pass_number}/print", ADMIN, || get(printing::print)),

    route("/gate/scan-exit", GATE, || gate::scan_route(ScanKind::Exit)),
    route("/gate/scan-return", GATE, || gate::scan_route(ScanKind::Return)),
    route("/gate/gatepass/list", GATE, || get(passes::list)),
    route("/gate/gatepass/counts", GATE, || get(passes::counts)),
    route("/gate/gatepass/number/{pass_number}", GATE, || get(passes::by_number)),
    route("/gate/gatepass/id/{pass_id}", GATE, || get(passes::by_id)),
    route("/gate/photos/{pass_number}", GATE, || get(picture::of_pass)),

    route("/notifications/admin", ADMIN, || notifications::of(Audience::Admin)),
    route("/notifications/hr", HR, || notifications::of(Audience::Hr)),
    // A GET that changes state, as the contract requires; therefore HEAD, which clients
    // send on their own, is refused.
    route("/notifications/mark-read/{notification_id}", OFFICE, || get(notifications::mark_read).head(no_such_method)),

    route("/qr/{pass_number}", ALL, || get(picture::qr)),
    route("/media/photo/{photo_id}", ALL, || get(picture::photo)),
];

/// The Gate Pass API as a router that can be mounted anywhere.
pub fn router(service: GatePass) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        let guard = from_fn_with_state((service.clone(), route.roles), admit);
        router = router.route(route.path, (route.handler)().route_layer(guard));
    }
    router
        .route(
            "/openapi.json",
            get(|| async { ([(header::CONTENT_TYPE, "application/json")], OPENAPI) }),
        )
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

#[cfg(test)]
mod routes_tests;
