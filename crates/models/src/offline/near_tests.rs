//! Tests of near.
