//! Tests of near.

