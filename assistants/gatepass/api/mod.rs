//! The client of the Gate Pass API. It knows only the address of the system.
//!
//! - [`ApiRequest`] is a request that can be sent repeatedly
//! - [`GatePassClient`] sends it on behalf of the person and retries where that is safe
//! - [`ApiResponse`] is a successful response; [`Failure`] is everything else

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
