//! The Gate Pass API.
mod auth;
mod error;
mod fields;
mod pass;
mod photo;
mod print;
mod qr;
mod settings;
#[cfg(test)]
mod qr_tests;
