//! Evaluation: suites of cases (`evals/*.toml` of an assistant) played on any model, judged
//! by code and reported. The tests of the product and `frontdesk eval` use the same files.
//!
//! - [`suite`] is the format, [`judge`] what counts as right
//! - [`model_only_run`] plays a case on the model alone, [`stage`] on the whole product
//! - [`run`] plays a suite, [`report`] and [`page`] tell what came of it
//! - [`attack`] and [`hostile`]: what becomes of a model that obeys whoever writes to it

pub mod attack;
pub mod document;
pub mod hostile;
pub mod judge;
pub mod model_only_run;
pub mod page;
pub mod report;
pub mod run;
pub mod shelf;
pub mod stage;
pub mod suite;
