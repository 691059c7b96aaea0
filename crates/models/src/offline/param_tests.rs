//! Tests of param.

