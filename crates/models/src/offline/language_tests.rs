//! Tests of language.
