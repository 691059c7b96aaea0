//! Tests of kind.
