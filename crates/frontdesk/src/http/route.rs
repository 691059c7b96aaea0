//! Operations of the product and of assistants, as routers and as descriptions.

use axum::Router;
use axum::routing::MethodRouter;
use frontdesk_bundle::OwnRoute;

use super::AppState;

pub(super) use frontdesk_bundle::route::{Content, Header, RequestBody, ResponseSpec};

pub(super) type Route = frontdesk_bundle::Route<MethodRouter<AppState>>;

/// The description of an operation, without its handler.
pub(super) type Words = frontdesk_bundle::Route;

pub(super) fn router(routes: Vec<Route>) -> Router<AppState> {
    routes.into_iter().fold(Router::new(), |router, route| {
        router.route(&route.path, route.handler)
    })
}

pub(super) fn own_router(routes: &[OwnRoute]) -> Router {
    routes.iter().fold(Router::new(), |router, route| {
        router.route(&route.path, route.handler.clone())
    })
}
