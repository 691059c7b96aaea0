//! The HTTP API over real sockets: the folder mirrors the routes.

mod conversations;
mod errors;
mod messages;
mod streams;
