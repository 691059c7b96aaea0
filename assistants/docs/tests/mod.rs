//! The documents assistant: every rule of its data model, its states and its errors.

mod answers;
mod config;
mod responses;
mod tool;
