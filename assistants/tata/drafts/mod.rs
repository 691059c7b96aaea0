//! One file a document: what the model is asked for, how that becomes a [`Document`], and the
//! composer that fills the same sections without a model.
//!
//! [`Document`]: super::document::Document

pub(super) mod calendar_invite;
pub(super) mod candidate_report;
pub(super) mod comparison;
pub(super) mod headhunting;
pub(super) mod hm_screening;
pub(super) mod job_ad;
pub(super) mod requirement_profile;
pub(super) mod review;
pub(super) mod revision;
pub(super) mod ta_screening;

use frontdesk_core::draft::Quote;
use schemars::JsonSchema;
use serde::Deserialize;

use super::document::{Document, Item};

/// A statement and the words of a source that it rests on.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Point {
    /// The statement, short and complete.
    pub(super) text: String,
    /// The words of the source that say so.
    pub(super) based_on: Quote,
}

impl Point {
    /// With its quote, for the recruiter.
    pub(super) fn quoted(self) -> Item {
        Item::new(self.text).quoting([self.based_on])
    }
}

/// With their quotes.
fn quoted(points: Vec<Point>) -> Vec<Item> {
    points.into_iter().map(Point::quoted).collect()
}

/// Without their quotes, for readers outside.
fn plain(points: Vec<Point>) -> Vec<Item> {
    points.iter().map(|point| Item::new(&point.text)).collect()
}

fn lines<S: AsRef<str>>(texts: &[S]) -> Vec<Item> {
    let texts = texts.iter().map(AsRef::as_ref);
    texts
        .filter(|text| !text.trim().is_empty())
        .map(Item::new)
        .collect()
}

/// The texts of a profile's section, without quotes.
fn copied(profile: &Document, id: &str) -> Vec<Item> {
    let items = profile.items_of(id);
    items
        .map(|item| Item::labelled(item.label.as_deref().unwrap_or_default(), &item.text))
        .collect()
}
