//! Tests of mood.

