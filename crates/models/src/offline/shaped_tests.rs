//! Tests of shaped.
