//! Tests of pending.

