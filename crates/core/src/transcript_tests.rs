//! Tests of `transcript`.
