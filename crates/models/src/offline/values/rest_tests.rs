//! Tests of rest.

