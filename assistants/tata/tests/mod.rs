//! The assistant as a whole.
