//! The assistants that ship with Frontdesk. One folder is one assistant with everything of
//! it inside; one line in each list below makes it part of the product.

mod bundle;
mod gatepass;
pub mod tata;

use frontdesk_core::setting::Setting;

pub use bundle::{Bundle, MintError, MintToken, SetupError, Surroundings};

/// Their names, in the order in which people are offered them.
pub const NAMES: &[&str] = &[gatepass::NAME];

/// The settings that they declare.
pub const SETTINGS: &[Setting] = gatepass::SETTINGS;

pub fn all(around: &Surroundings) -> Result<Vec<Bundle>, SetupError> {
    Ok(vec![gatepass::bundle(around)?])
}
