//! Tests of `handle`.
