//! Tests of index.

