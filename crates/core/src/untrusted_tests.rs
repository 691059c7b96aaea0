//! Tests of `untrusted`.
