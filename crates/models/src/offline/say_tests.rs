//! Tests of say.
