//! The HTTP API over real sockets: the folder mirrors the routes.

mod artifacts;
mod attachments;
mod conversations;
mod errors;
mod gatepass;
mod matrix;
mod messages;
mod streams;
