//! Tests of when.
