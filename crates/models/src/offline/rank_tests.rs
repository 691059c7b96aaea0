//! Tests of rank.

