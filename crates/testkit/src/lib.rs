//! Development only: what tests of every crate share.

pub mod tidy;
