//! The demo workspace: two gigs in Russian, one with 12 candidates and one with 300, the same on every
//! machine.

mod people;

use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use frontdesk_core::access::Principal;
use frontdesk_core::env::Env;
use frontdesk_core::persona::demo_id;
use serde::Deserialize;

use frontdesk_bundle::{BoxError, DemoData, SetupContext};

use super::domain::gig_fields::GigFields;
use super::people::WORKSPACE;
use super::store::{Gigs, NewGig};

pub(super) struct Workspace {
    gigs: Arc<Gigs>,
    env: Arc<dyn Env>,
}

impl Workspace {
    pub(super) fn new(gigs: &Arc<Gigs>, ctx: &SetupContext) -> Self {
        Self {
            gigs: Arc::clone(gigs),
            env: Arc::clone(&ctx.env),
        }
    }
}

/// A gig of the demo, in `gigs.json`.
#[derive(Deserialize)]
struct DemoGig {
    key: String,
    candidates: usize,
    seed: u64,
    days_old: i64,
    days_left: i64,
    fields: GigFields,
}

#[async_trait]
impl DemoData for Workspace {
    /// The last gig is the newest: conversations without a subject are about it.
    async fn bring(&self, who: &Principal) -> Result<(), BoxError> {
        let now = self.env.now();
        let gigs: Vec<DemoGig> = serde_json::from_str(include_str!("gigs.json"))?;
        for demo in gigs {
            let mut fields = demo.fields;
            fields.deadline = Some(now + TimeDelta::days(demo.days_left));
            let wanted = fields.requirements.clone().unwrap_or_default();
            let budget = (fields.budget_min, fields.budget_max);
            let gig = NewGig {
                id: demo_id("gig", &demo.key),
                workspace: demo_id("company", WORKSPACE),
                fields,
                created_at: now - TimeDelta::days(demo.days_old),
            };
            let id = gig.id;
            if self.gigs.add(who, gig).await? {
                let responses = people::responses(demo.candidates, demo.seed, &wanted, budget, now);
                self.gigs.respond(who, id, responses).await?;
            }
        }
        Ok(())
    }
}

/// Any number of responses, for measurements.
#[cfg(test)]
pub(super) fn responses(
    people: usize,
    now: chrono::DateTime<chrono::Utc>,
) -> Vec<super::store::NewResponse> {
    let wanted = super::domain::gig_context::GigRequirements::default();
    people::responses(people, 3, &wanted, (None, None), now)
}
