//! Tests of fill.

