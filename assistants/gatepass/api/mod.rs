//! The client of the Gate Pass API. It knows only the address of the system.
//!
//! - [`ApiRequest`] is what is asked for; it can be sent again as often as needed
//! - [`GatePassClient`] sends it in the person's name, waits, and tries again where that is safe
//! - [`ApiResponse`] is a good answer; [`Failure`] is every other way it can go

mod client;
mod failure;
mod request;
mod resolver;
mod response;
mod retry;

pub(super) use client::{Errand, GatePassClient, Retries};
pub(super) use failure::{Failed, Failure, Refusal};
pub(super) use request::{ApiRequest, Method, Payload};
pub(super) use response::{ApiResponse, FileKind};
pub(super) use retry::longest;
