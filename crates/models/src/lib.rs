//! Placeholder.

pub mod offline;
