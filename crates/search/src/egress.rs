//! Fetches pages from addresses that users or documents supply. Only public hosts are
//! fetched; the check runs on the URL, on the resolved addresses at dial time, and on every
//! redirect.

pub mod address;
mod fetch;

pub use fetch::{Egress, FetchError, FetchedPage, Limits, Resolver, SystemResolver};
