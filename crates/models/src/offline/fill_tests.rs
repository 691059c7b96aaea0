//! Tests of fill.
