//! The assistants that ship with Frontdesk. One folder is one assistant with everything of
//! it inside; one line in each list below makes it part of the product.

mod bundle;

use frontdesk_core::setting::Setting;
use frontdesk_core::toolbox::ToolboxError;

pub use bundle::{Bundle, Surroundings};

/// Their names, in the order in which people are offered them.
pub const NAMES: &[&str] = &[];

/// The settings that they declare.
pub const SETTINGS: &[Setting] = &[];

pub fn all(around: &Surroundings) -> Result<Vec<Bundle>, ToolboxError> {
    let _ = around;
    Ok(Vec::new())
}
