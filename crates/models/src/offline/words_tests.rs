//! Tests of words.
