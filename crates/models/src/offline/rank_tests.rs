//! Tests of rank.
