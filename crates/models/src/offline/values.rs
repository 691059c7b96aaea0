//! Typed values in a person's words. A value is always taken from the text: nothing
//! here makes one up.

pub(super) mod choices;
pub(super) mod names;
pub(super) mod numbers;
pub(super) mod pattern;
pub(super) mod rest;
pub(super) mod when;
