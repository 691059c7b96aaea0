//! The assistants that ship with Frontdesk. Each is a crate in a folder of its own; one line in `PACKAGES` adds it.

mod joined;

use frontdesk_bundle::{Bundle, Eval, Package, Route, SetupContext, SetupError};
use frontdesk_core::setting::Setting;

/// In the order in which people see them.
pub const PACKAGES: &[Package] = &[
    frontdesk_assistant_gatepass::PACKAGE,
    frontdesk_assistant_tata::PACKAGE,
    frontdesk_assistant_docs::PACKAGE,
    frontdesk_assistant_autopilot::PACKAGE,
    frontdesk_assistant_gig::PACKAGE,
];

pub const NAMES: &[&str] = &joined::names::<{ PACKAGES.len() }>(PACKAGES);

pub const SETTINGS: &[Setting] =
    &joined::settings::<{ joined::count_settings(PACKAGES) }>(PACKAGES);

/// The evaluation suites of each assistant.
pub const EVALS: &[(&str, &[Eval])] = &joined::evals::<{ PACKAGES.len() }>(PACKAGES);

pub fn all(ctx: &SetupContext) -> Result<Vec<Bundle>, SetupError> {
    PACKAGES
        .iter()
        .map(|package| (package.set_up)(ctx))
        .collect()
}

/// Descriptions of the assistants' own routes.
pub fn operations() -> Vec<Route> {
    PACKAGES
        .iter()
        .flat_map(|package| (package.operations)())
        .collect()
}
