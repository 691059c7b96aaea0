//! Tests of `event`.
