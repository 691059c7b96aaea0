//! Tests of names.

