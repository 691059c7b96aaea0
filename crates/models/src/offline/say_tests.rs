//! Tests of say.

