//! Tests of dialogue.

