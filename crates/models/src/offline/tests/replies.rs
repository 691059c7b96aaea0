//! Tests of replies.
