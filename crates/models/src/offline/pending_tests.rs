//! Tests of pending.
