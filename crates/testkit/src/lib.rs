//! Placeholder.

pub mod postgres;
