//! Tests of when.

