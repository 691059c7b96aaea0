//! The assistants that ship with Frontdesk. One folder is one assistant with everything of
//! it inside; one line in each list below makes it part of the product.

mod autopilot;
mod bundle;
mod docs;
mod gatepass;
mod gig;
mod inbox;
mod procedure;
pub mod route;
mod settings;
mod tata;

use frontdesk_core::setting::Setting;

pub use bundle::{
    BoxError, Bundle, DemoData, DemoDocuments, Import, ImportReport, ImportRow, MintError,
    MintToken, SetupError, Surroundings, TraceNames,
};
pub use inbox::{InboxSource, WaitingItem, WaitingWork};
pub use procedure::{
    Procedure, ProcedureCall, ProcedureCode, ProcedureError, ProcedureKind, RunProcedure,
};
pub use route::{OwnRoute, Route};

/// Their names, in the order in which people are offered them.
pub const NAMES: &[&str] = &[
    gatepass::NAME,
    tata::NAME,
    docs::NAME,
    autopilot::NAME,
    gig::NAME,
];

/// The settings that they declare.
pub const SETTINGS: &[Setting] = &settings::joined::<{ settings::count(DECLARED) }>(DECLARED);

const DECLARED: &[&[Setting]] = &[gatepass::SETTINGS, tata::SETTINGS, docs::SETTINGS];

/// Suites by which models are judged: for each assistant, each with its name and its text.
pub const EVALS: &[(&str, &[Eval])] = &[
    (gatepass::NAME, gatepass::EVALS),
    (tata::NAME, tata::EVALS),
    (docs::NAME, docs::EVALS),
    (autopilot::NAME, autopilot::EVALS),
    (gig::NAME, gig::EVALS),
];

/// The name of a suite and its text.
pub type Eval = (&'static str, &'static str);

pub fn all(around: &Surroundings) -> Result<Vec<Bundle>, SetupError> {
    Ok(vec![
        gatepass::bundle(around)?,
        tata::bundle(around)?,
        docs::bundle(around)?,
        autopilot::bundle(around)?,
        gig::bundle(around)?,
    ])
}

/// The routes of their own, as the reference tells them.
pub fn operations() -> Vec<Route> {
    [
        gatepass::operations(),
        autopilot::operations(),
        gig::operations(),
    ]
    .concat()
}
