//! Tests of numbers.

