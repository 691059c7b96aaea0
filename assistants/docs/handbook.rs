//! Frontdesk's own handbook, so that the product can be asked about itself.

/// Each page by its path.
pub(super) const FILES: &[(&str, &str)] = &[];
