//! A value that is known exactly, or only to lie between two bounds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::money::{about_dollars, grouped};

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ValueSpan")]
pub(crate) struct Span {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Span {
    pub(crate) fn exact(value: f64) -> Span {
        Span {
            low: value,
            high: value,
        }
    }

    pub(crate) fn between(one: f64, other: f64) -> Span {
        Span {
            low: one.min(other),
            high: one.max(other),
        }
    }

    pub(crate) fn is_range(self) -> bool {
        self.low < self.high
    }

    /// Both bounds through `change`, in order afterwards.
    pub(crate) fn map(self, change: impl Fn(f64) -> f64) -> Span {
        Span::between(change(self.low), change(self.high))
    }

    /// The bounds, once if they are equal.
    pub(crate) fn ends(self) -> Vec<f64> {
        match self.is_range() {
            true => vec![self.low, self.high],
            false => vec![self.low],
        }
    }

    /// Bounds that look equal when written are written once.
    pub(crate) fn written(self, write: impl Fn(f64) -> String) -> String {
        let (low, high) = (write(self.low), write(self.high));
        if low == high {
            low
        } else {
            format!("{low} to {high}")
        }
    }

    pub(crate) fn dollars(self) -> String {
        self.written(about_dollars)
    }

    pub(crate) fn count(self) -> String {
        self.written(grouped)
    }
}

/// One decimal where there is one.
pub(crate) fn decimal(value: f64) -> String {
    let tenths = (value * 10.0).round() / 10.0;
    if tenths.abs() >= 1_000.0 || tenths.fract() == 0.0 {
        grouped(tenths)
    } else {
        format!("{tenths:.1}").replace('-', "−")
    }
}

pub(crate) fn percent(share: f64) -> String {
    format!("{} %", decimal(share * 100.0))
}
