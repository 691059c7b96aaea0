//! Tests of pattern.

