//! Traces: what became of a turn as spans, by OpenTelemetry's conventions for generative AI,
//! exported by OTLP over HTTP.
//!
//! - [`tracer`] listens to the events that watchers see, and makes [`span`]s of them
//! - [`otlp`] writes spans on the wire, [`export`] sends them and never holds anybody up
//!
//! A turn's id is its trace's id, and the ids of its spans follow from it: whoever goes on
//! with a turn after a crash continues the same trace.

pub mod export;
mod names;
pub mod otlp;
pub mod span;
mod steps;
pub mod tracer;
