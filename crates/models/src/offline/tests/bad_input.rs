//! Tests of bad input.

