//! Tests of names.
