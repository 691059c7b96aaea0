//! What can be known about a gig and its candidates, as plain data and pure functions: ranking,
//! statistics, look-ups, and the words for all of it.

pub mod candidate;
pub mod candidate_summary;
pub mod gig_context;
pub mod kinds;
pub mod listing;
pub mod names;
pub mod plots;
pub mod pool;
pub mod prompt;
pub mod ranking;
pub mod skills;
pub mod statistics;
pub mod tongue;
