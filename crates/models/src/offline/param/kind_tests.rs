//! Tests of kind.

