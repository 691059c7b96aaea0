//! Tests of `message`.
