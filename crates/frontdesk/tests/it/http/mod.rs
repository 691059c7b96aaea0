//! The HTTP API over real sockets: the folder mirrors the routes.

mod artifacts;
mod attachments;
mod attacks;
mod conformance;
mod conversations;
mod design;
mod errors;
mod gatepass;
mod identity;
mod leaks;
mod matrix;
mod messages;
mod page;
mod slow_clients;
mod stream_attacks;
mod streams;
