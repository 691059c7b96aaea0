//! Tests of index.
