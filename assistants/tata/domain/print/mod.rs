//! Each artifact as a document, in the artifact's own language.

mod calendar_invite;
mod candidate_report;
mod comparison;
mod di_review;
mod funnel_report;
mod headhunting;
mod job_ad;
mod job_ad_review;
pub(crate) mod requirement_profile;
mod screening;

use super::document::Document;
use super::library::Library;

#[cfg(test)]
pub(crate) use funnel_report::{compare_funnels, funnel_document};

/// An artifact that can be shown, copied and downloaded.
pub trait Printed {
    fn document(&self, library: &Library) -> Document;
}
