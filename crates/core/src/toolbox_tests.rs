//! Tests of `toolbox`.
