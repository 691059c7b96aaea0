//! The design's properties of contexts and rankings, over real rows.

mod figures;
mod properties;
