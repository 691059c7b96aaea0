//! Tests of choices.

