//! Tests of shaped.

