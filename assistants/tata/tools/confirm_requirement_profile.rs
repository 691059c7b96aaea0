//! The recruiter's agreement with the profile: asked for on a card, kept as a new version.

use std::sync::Arc;

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};

use crate::tata::domain::module::Module;
use crate::tata::domain::print::Printed;
use crate::tata::domain::requirement_profile::{ProfileStatus, RequirementProfile};
use crate::tata::workshop::{Made, Workshop, confirm, made};

pub(super) struct ConfirmRequirementProfile(pub(super) Arc<Workshop>);

/// The newest profile is meant.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {}

impl Tool for ConfirmRequirementProfile {
    const NAME: &'static str = "confirm_requirement_profile";
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        let profile = Module::RequirementProfile.facts().artifact;
        ToolSpec::transactional(
            "Confirm the requirement profile after the recruiter agreed with it. Other documents are built on the confirmed \
             profile. The recruiter decides on a card.",
        )
        .title("Confirm the requirement profile")
        .roles([Role::RECRUITER])
        .needs_artifact(profile, "the requirement profile")
        .approval([])
        .example("Confirm the requirement profile", json!({}))
        .example("confirm the profile", json!({}))
        .example("please confirm the profile of the position", json!({}))
        .example("Bekräfta kravprofilen", json!({}))
        .example("Bekræft kravprofilen", json!({}))
        .example("Bekreft kravprofilen", json!({}))
        .example("Bestätige das Anforderungsprofil", json!({}))
        .example("approve the requirement profile", json!({}))
        .example("the profile is right, confirm it", json!({}))
        .example("mark the profile as confirmed", json!({}))
        .example("Godkänn kravprofilen", json!({}))
        .example("Profilen stämmer, bekräfta den", json!({}))
        .example("Godkend kravprofilen", json!({}))
        .example("Profilen er rigtig, bekræft den", json!({}))
        .example("Godkjenn kravprofilen", json!({}))
        .example("Profilen er riktig, bekreft den", json!({}))
        .example("Das Anforderungsprofil stimmt, bitte bestätigen", json!({}))
        .example("Gib das Anforderungsprofil frei", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, _: Args) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let found = self.0.newest(ctx, Module::RequirementProfile).await?;
        let Some(profile) = found else {
            return Err(ToolError::refused("There is no requirement profile yet."));
        };
        let profile: crate::tata::workshop::Earlier<RequirementProfile> = profile;
        if profile.content.status == ProfileStatus::Confirmed {
            return Err(ToolError::refused(
                "The requirement profile is confirmed already.",
            ));
        }
        let confirmed = confirm(ctx, &bench, &profile)?;
        let mut fields = Map::new();
        fields.insert(
            "position_title".into(),
            json!(confirmed.content.position_title),
        );
        fields.insert("status".into(), json!(confirmed.content.status));
        fields.insert("version".into(), json!(confirmed.from.version));
        let document = confirmed.content.document(self.0.library);
        Ok(made(fields, &document, Vec::new()))
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
