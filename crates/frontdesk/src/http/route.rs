//! The product's operations and those that assistants bring, as a router and as words.

use axum::Router;
use axum::routing::MethodRouter;
use frontdesk_bundle::OwnRoute;

use super::AppState;

pub(super) use frontdesk_bundle::route::{Content, Header, RequestBody, ResponseSpec};

/// An operation of the product.
pub(super) type Route = frontdesk_bundle::Route<MethodRouter<AppState>>;

/// An operation without what answers it.
pub(super) type Words = frontdesk_bundle::Route;

/// A router of these operations.
pub(super) fn router(routes: Vec<Route>) -> Router<AppState> {
    routes.into_iter().fold(Router::new(), |router, route| {
        router.route(&route.path, route.handler)
    })
}

/// The same of those that assistants bring.
pub(super) fn own_router(routes: &[OwnRoute]) -> Router {
    routes.iter().fold(Router::new(), |router, route| {
        router.route(&route.path, route.handler.clone())
    })
}
