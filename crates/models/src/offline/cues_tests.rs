//! Tests of cues.
