//! Tests of `grant`.
