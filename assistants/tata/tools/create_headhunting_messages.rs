//! Outreach on LinkedIn: three messages in six versions each.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::spec_of;
use crate::tata::domain::headhunting::{self, HeadhuntingInput};
use crate::tata::domain::module::Module;
use crate::tata::workshop::{Made, Place, Workshop, keep, refused};

pub(super) struct CreateHeadhuntingMessages(pub(super) Arc<Workshop>);

impl Tool for CreateHeadhuntingMessages {
    const NAME: &'static str = Module::Headhunting.facts().tool;
    type Args = HeadhuntingInput;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::Headhunting,
            "Write headhunting messages",
            "Write headhunting messages for LinkedIn outreach: short and direct, value proposition, call to action, each in \
             English, Swedish, Danish, Norwegian and German (du and Sie), under 100 words. With a candidate's profile one \
             personal detail is used.",
        )
        .example("Write headhunting messages for LinkedIn", json!({}))
        .example("outreach messages", json!({}))
        .example(
            "Write to this candidate on LinkedIn, the profile is attached",
            json!({ "candidate_profile": "text:1" }),
        )
        .example("Skriv headhuntingmeddelanden för LinkedIn", json!({}))
        .example("Skriv headhuntingbeskeder til LinkedIn", json!({}))
        .example("Skriv headhuntingmeldinger til LinkedIn", json!({}))
        .example("Schreibe Nachrichten für die Direktansprache auf LinkedIn", json!({}))
        .example("a message I can send to passive candidates", json!({}))
        .example("Contact this candidate, profile below", json!({ "candidate_profile": "text:1" }))
        .example("Ta fram meddelanden till passiva kandidater", json!({}))
        .example("Kontakta den här kandidaten på LinkedIn", json!({ "candidate_profile": "text:1" }))
        .example("Skriv en besked til passive kandidater", json!({}))
        .example("Lag meldinger til passive kandidater", json!({}))
        .example("Formuliere eine Ansprache für passive Kandidaten", json!({}))
        .example("Schreibe diese Kandidatin auf LinkedIn an", json!({ "candidate_profile": "text:1" }))
    }

    async fn call(&self, ctx: &ToolContext, args: HeadhuntingInput) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let profile = self.0.agreed_profile(ctx, &bench).await?;
        let produced =
            headhunting::process(&args, &profile.content, &bench.desk()).map_err(refused)?;
        let place = Place::of(Module::Headhunting, "").built_from([profile.from]);
        keep(ctx, &bench, &place, &produced)
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
