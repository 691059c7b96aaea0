//! Tests of param.
