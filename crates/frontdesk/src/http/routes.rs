//! Every route of `/api/v1`, one file a subject.

mod approvals;
mod attachments;
mod catalogue;
mod companies;
mod conversations;
mod demo;
mod events;
mod messages;
mod opinions;
mod people;
mod records;
mod turns;

use axum::Router;
use axum::routing::{delete, get, post};

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
        .route("/audit", get(records::audit))
        .route("/usage", get(records::usage))
        .route("/events", get(events::follow))
        .route("/assistants", get(catalogue::assistants))
        .route("/assistants/{name}/tools", get(catalogue::tools))
        .route(
            "/messages/{id}/feedback",
            post(opinions::rate)
                .get(opinions::show)
                .delete(opinions::forget),
        )
        .merge(people())
}

/// Who people are and where they belong.
fn people() -> Router<Shared> {
    Router::new()
        .route("/me", get(people::me))
        .route(
            "/profiles/me",
            get(people::own_profile).put(people::update_profile),
        )
        .route("/profiles/me/companies", get(people::own_companies))
        .route("/profiles/{id}", get(people::profile))
        .route(
            "/companies",
            post(companies::create).get(people::own_companies),
        )
        .route("/companies/{id}", get(companies::show))
        .route("/companies/{id}/members", get(companies::members))
        .route(
            "/companies/{id}/members/{profile}",
            delete(companies::remove_member),
        )
        .route("/companies/{id}/leave", post(companies::leave))
        .route(
            "/companies/{id}/invitations",
            post(companies::invite).get(companies::invitations),
        )
        .route(
            "/companies/{id}/invitations/{invitation}",
            delete(companies::revoke),
        )
        .route("/invitations", get(companies::received))
        .route("/invitations/accept", post(companies::accept_by_token))
        .route("/invitations/{id}/accept", post(companies::accept))
        .route("/invitations/{id}/decline", post(companies::decline))
        .route("/demo/personas", get(demo::personas))
        .route("/demo/sign-in", post(demo::sign_in))
}
