//! Tests of lexicon.

