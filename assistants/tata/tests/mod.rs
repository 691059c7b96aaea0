//! The assistant as a whole: the design's correctness properties, whole projects with and without a
//! model, bad input, and its words.

mod answers;
mod drafts;
mod fallback;
mod flow;
mod kit;
mod properties;
mod samples;
mod schema;
mod words;
