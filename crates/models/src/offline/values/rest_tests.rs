//! Tests of rest.
