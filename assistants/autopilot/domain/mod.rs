//! Cleaning robots and the buildings they work in. Pure: no clock, no database, no model.

pub(super) mod business_case;
pub(super) mod catalogue;
pub(super) mod discovery;
pub(super) mod keys;
pub(super) mod money;
pub(super) mod quantity;
pub(super) mod reading;
pub(super) mod recommend;
pub(super) mod roi;
pub(super) mod shortlist;
pub(super) mod span;
pub(super) mod units;
