//! Tests of lexicon.
