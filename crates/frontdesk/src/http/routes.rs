//! Every route of `/api/v1`, one file a subject.

mod approvals;
mod attachments;
mod catalogue;
mod conversations;
mod messages;
mod turns;

use axum::Router;
use axum::routing::{get, post};

use super::Shared;

pub(super) fn api() -> Router<Shared> {
    Router::new()
        .route(
            "/conversations",
            post(conversations::create).get(conversations::list),
        )
        .route(
            "/conversations/{id}",
            get(conversations::show)
                .patch(conversations::update)
                .delete(conversations::delete),
        )
        .route("/conversations/{id}/reset", post(conversations::reset))
        .route(
            "/conversations/{id}/messages",
            post(messages::create).get(messages::list),
        )
        .route("/conversations/{id}/turns/{turn}", get(turns::show))
        .route(
            "/conversations/{id}/turns/{turn}/events",
            get(turns::events),
        )
        .route(
            "/conversations/{id}/turns/{turn}/cancel",
            post(turns::cancel),
        )
        .route("/conversations/{id}/turns/{turn}/retry", post(turns::retry))
        .route(
            "/conversations/{id}/turns/{turn}/approvals/{call}",
            post(approvals::decide),
        )
        .route("/conversations/{id}/forms", post(messages::fill_form))
        .route("/conversations/{id}/artifacts", get(attachments::artifacts))
        .route(
            "/conversations/{id}/artifacts/{artifact}",
            get(attachments::artifact),
        )
        .route("/attachments/{id}", get(attachments::show))
        .route("/approvals", get(approvals::list))
        .route("/audit", get(catalogue::audit))
        .route("/assistants", get(catalogue::assistants))
        .route("/assistants/{name}/tools", get(catalogue::tools))
        .route("/me", get(catalogue::me))
        .route("/demo/personas", get(catalogue::personas))
        .route("/demo/sign-in", post(catalogue::sign_in))
}
