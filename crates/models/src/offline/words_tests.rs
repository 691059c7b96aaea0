//! Tests of words.

