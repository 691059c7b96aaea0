//! Tests of bad input.
