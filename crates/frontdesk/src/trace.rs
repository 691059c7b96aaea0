//! Traces: turns as spans, by OpenTelemetry's conventions for generative AI, exported by OTLP over
//! HTTP.
//!
//! - [`tracer`] turns events into [`span`]s
//! - [`otlp`] encodes spans, [`export`] sends them without blocking turns
//!
//! A turn's id is its trace id, and span ids are derived from it. A worker that resumes a turn
//! after a crash thus continues the same trace.

pub mod export;
pub mod otlp;
pub mod span;
mod steps;
pub mod tracer;
