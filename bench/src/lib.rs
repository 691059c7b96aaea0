//! Parts that several benchmarks share.

pub mod baseline_model;
pub mod child;
pub mod fixture;
pub mod model;
pub mod null_store;
pub mod report;
pub mod scene;
pub mod stats;
