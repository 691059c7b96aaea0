//! Pages of the outside world. An address that somebody else chose is fetched only from a
//! public host: checked as written, after its name was looked up, on the address that is
//! dialled, and again on every redirect.

pub mod address;
mod fetch;

pub use fetch::{Egress, FetchError, Fetched, Limits, Resolver, SystemResolver};
