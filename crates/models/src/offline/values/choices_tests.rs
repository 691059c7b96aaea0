//! Tests of choices.
