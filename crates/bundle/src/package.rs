//! The export of an assistant's crate. Everything but `set_up` is available before setup.

use frontdesk_core::setting::Setting;

use crate::{Bundle, Route, SetupContext, SetupError};

/// The name of an evaluation suite and its text.
pub type Eval = (&'static str, &'static str);

#[derive(Clone, Copy)]
pub struct Package {
    pub name: &'static str,
    pub settings: &'static [Setting],
    /// Evaluation suites for models.
    pub evals: &'static [Eval],
    /// Describes the routes that [`Bundle::routes`] serves.
    pub operations: fn() -> Vec<Route>,
    pub set_up: fn(&SetupContext) -> Result<Bundle, SetupError>,
}
