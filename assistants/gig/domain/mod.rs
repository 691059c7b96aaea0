//! A gig and its candidates as plain data and pure functions: ranking, statistics, queries, and their
//! wording in two languages.

pub mod candidate;
pub mod candidate_summary;
pub mod gig_context;
pub mod gig_fields;
pub mod kinds;
pub mod language;
pub mod names;
pub mod plots;
pub mod pool;
pub mod pool_summary;
pub mod prompt;
pub mod query;
pub mod ranking;
pub mod rates;
pub mod skills;
pub mod statistics;
