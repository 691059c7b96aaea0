//! Tests of pattern.
