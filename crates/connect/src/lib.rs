//! Tools over HTTP, defined by data: no code is needed to put a tool in front of a system.
//!
//! - [`Source`] is a system with its address, sign-in and limits; [`HttpSource`] is its client
//! - [`Operation`] is one of its requests; [`HttpTool`] runs it as a tool
//! - [`response`] turns any common response into a result, and recognises refusals
//! - [`explain`] turns failures into sentences for people; the system's own text stays out of them
//! - [`openapi`] proposes an assistant over an OpenAPI document; [`mcp`] runs tools of MCP servers
//! - a write is sent again only if the system knows idempotency keys; otherwise a lost response
//!   makes its outcome unknown

mod auth;
mod client;
pub mod explain;
mod failure;
mod file;
mod files;
pub mod manifest;
pub mod mcp;
pub mod openapi;
mod operation;
mod proposal;
mod request;
mod resolver;
pub mod response;
mod retry;
mod source;
mod tool;

pub use auth::{Auth, KeyPlace, MintToken, PersonToken, TokenSources};
pub use client::{ApiResponse, CallOptions, HttpSource, Retries, SourceError};
pub use explain::{CallSubject, ErrorInfo, ErrorType};
pub use failure::{Failed, Failure, Refusal};
pub use file::{BadFile, missing_file, refused_file};
pub use files::FileAnswer;
pub use operation::{
    Binding, HttpMethod, Lookup, Operation, Parameter, ParameterType, Place, RefusalRule,
    RequestLine, RequestLineError, StateRead,
};
pub use proposal::{Proposal, ProposedTool};
pub use request::{ApiRequest, BadArgument, FilePart, Payload, Target, segment};
pub use response::{
    BodyRule, Field, FieldKind, FileKind, MediaKind, NextPage, Pointer, ResponseRules, TypedField,
};
pub use retry::longest_call;
pub use source::{Secret, Source, Timeout};
pub use tool::{CallResult, HttpTool, MOST_PAGES};
