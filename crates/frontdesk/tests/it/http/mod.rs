//! The HTTP API over real sockets: the folder mirrors the routes.

mod artifacts;
mod attachments;
mod attacks;
mod audit;
mod autopilot;
mod conformance;
mod conversations;
mod design;
mod errors;
mod gatepass;
mod identity;
mod inbox;
mod ingest;
mod leaks;
mod matrix;
mod messages;
mod openapi;
mod page;
mod previews;
mod proposals;
pub(crate) mod replays;
mod replies;
mod slow_clients;
mod stream_attacks;
mod streams;
mod trpc;
mod waiting;
