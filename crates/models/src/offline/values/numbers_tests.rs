//! Tests of numbers.
