//! Tests of dialogue.
