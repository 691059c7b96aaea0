//! Tests of language.

