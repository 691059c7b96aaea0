//! Tests of `turn`.
