//! The assistants that ship with Frontdesk. One line in `PACKAGES` adds the crate of an assistant.

mod joined;

use frontdesk_bundle::{Bundle, Eval, Package, Route, SetupContext, SetupError};
use frontdesk_core::setting::Setting;

/// In display order.
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

pub const EVALS: &[(&str, &[Eval])] = &joined::evals::<{ PACKAGES.len() }>(PACKAGES);

pub fn all(ctx: &SetupContext) -> Result<Vec<Bundle>, SetupError> {
    PACKAGES
        .iter()
        .map(|package| (package.set_up)(ctx))
        .collect()
}

pub fn operations() -> Vec<Route> {
    PACKAGES
        .iter()
        .flat_map(|package| (package.operations)())
        .collect()
}
