//! Tests of plan.

