//! Tests of mood.
