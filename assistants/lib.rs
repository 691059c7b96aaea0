//! The assistants, one folder each with everything of it inside.

pub mod tata;
