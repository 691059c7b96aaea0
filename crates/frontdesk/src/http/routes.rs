//! All operations of `/api/v1`, one file per subject.

mod approvals;
mod artifacts;
mod attachments;
mod audit;
mod catalogue;
mod collections;
mod companies;
mod conversations;
mod demo;
mod events;
mod feedback;
mod inbox;
mod ingest;
mod messages;
mod operator;
mod people;
mod sign_in;
mod turns;
pub(crate) mod usage;

use super::route::Route;

pub(super) use attachments::UPLOADS_AT_ONCE;

const PREFIX: &str = "/api/v1";

pub(super) fn api() -> impl Iterator<Item = Route> {
    [
        conversations::routes(),
        messages::routes(),
        turns::routes(),
        approvals::routes(),
        inbox::routes(),
        artifacts::routes(),
        attachments::routes(),
        catalogue::routes(),
        feedback::routes(),
        people::routes(),
        companies::routes(),
        audit::routes(),
        usage::routes(),
        operator::routes(),
        collections::routes(),
        ingest::routes(),
        events::routes(),
        demo::routes(),
        sign_in::routes(),
    ]
    .into_iter()
    .flatten()
    .map(|route| route.under(PREFIX))
}
