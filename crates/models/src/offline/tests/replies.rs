//! Tests of replies.

