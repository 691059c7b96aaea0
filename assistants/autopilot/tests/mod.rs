//! The assistant as the product builds it, called through the same rules as a model's calls.

mod kit;
mod named;
mod tools;
