//! Tata, the recruiter's assistant: from start-up meeting notes to the funnel report.

pub mod domain;
