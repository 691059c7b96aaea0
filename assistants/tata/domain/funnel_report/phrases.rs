//! `funnel.toml`: the phrases of a funnel report.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::stage::{Owner, Signal, Stage};

/// `funnel.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FunnelPhrases {
    pub(crate) title: String,
    pub(crate) inbound: String,
    pub(crate) sourcing: String,
    pub(crate) high: String,
    pub(crate) medium: String,
    pub(crate) drop: String,
    pub(crate) bottleneck: String,
    pub(crate) reason_conversion: String,
    pub(crate) reason_time: String,
    pub(crate) fix: String,
    pub(super) own_material: String,
    pub(crate) headings: FunnelHeadings,
    pub(super) summary: SummaryPhrases,
    pub(super) notes: NotePhrases,
    pub(super) owners: OwnerPhrases,
    pub(super) stages: BTreeMap<Stage, String>,
    pub(super) conversion: BTreeMap<Stage, String>,
    pub(super) time: BTreeMap<Stage, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FunnelHeadings {
    pub(crate) summary: String,
    pub(crate) funnel: String,
    pub(crate) drops: String,
    pub(crate) bottlenecks: String,
    pub(crate) fixes: String,
    pub(crate) stage: String,
    pub(crate) count: String,
    pub(crate) conversion: String,
    pub(crate) cumulative: String,
    pub(crate) time: String,
    pub(crate) note: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SummaryPhrases {
    pub(super) opening: String,
    pub(super) locations: String,
    pub(super) chain: String,
    pub(super) clean: String,
    pub(super) bottlenecks: String,
    pub(super) time_to_fill: String,
    pub(super) rejected: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NotePhrases {
    pub(super) over: String,
    pub(super) joined: String,
    pub(super) empty: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OwnerPhrases {
    pub(super) recruiter: String,
    pub(super) hiring_manager: String,
    pub(super) ta_operations: String,
}

impl FunnelPhrases {
    pub(crate) fn stage(&self, stage: Stage) -> &str {
        self.stages.get(&stage).map_or("", String::as_str)
    }

    pub(crate) fn owner(&self, owner: Owner) -> &str {
        match owner {
            Owner::Recruiter => &self.owners.recruiter,
            Owner::HiringManager => &self.owners.hiring_manager,
            Owner::TaOperations => &self.owners.ta_operations,
        }
    }

    pub(super) fn fix_for(&self, stage: Stage, signal: Signal) -> &str {
        let table = match signal {
            Signal::Conversion => &self.conversion,
            Signal::Time => &self.time,
        };
        table.get(&stage).map_or("", String::as_str)
    }
}
