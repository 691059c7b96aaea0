//! Evaluation: runs suites of cases (`evals/*.toml` of an assistant) on any model. Code judges the
//! results. The product's tests and `frontdesk eval` use the same files.
//!
//! - [`suite`] is the file format, [`judge`] the pass criteria
//! - [`model_only_run`] runs a case on the model alone, [`sandbox`] on the whole product
//! - [`run`] runs a suite, [`report`] and [`page`] present the results
//! - [`attack`] and [`hostile`] simulate prompt injection on a compromised model

pub mod attack;
pub mod document;
pub mod hostile;
pub mod judge;
pub mod model_only_run;
pub mod page;
pub mod report;
pub mod report_store;
pub mod run;
pub mod sandbox;
pub mod suite;
