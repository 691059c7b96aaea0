//! Tests of `approval`.
