//! The assistant as a whole: the design's correctness properties, whole projects, bad input, and the figures.

mod answers;
mod flow;
mod hostile;
mod kit;
mod properties;
mod words;
