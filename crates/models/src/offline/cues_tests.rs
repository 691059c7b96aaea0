//! Tests of cues.

