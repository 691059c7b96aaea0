//! Confirms the profile: the recruiter decides on a card, and a confirmed version is stored.

use super::prelude::*;
use crate::documents::confirm;

pub(super) struct ConfirmRequirementProfile;

/// The newest profile is meant.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {}

impl Tool for ConfirmRequirementProfile {
    const NAME: &'static str = "confirm_requirement_profile";
    type Args = Args;
    type Output = DocumentOutput;

    fn spec() -> ToolSpec {
        let profile = Module::RequirementProfile.facts().artifact;
        let spec = ToolSpec::transactional(
            "Confirm the requirement profile after the recruiter agreed with it. Other documents are built on the confirmed \
             profile. The recruiter decides on a card.",
        )
        .title("Confirm the requirement profile")
        .roles([Role::RECRUITER])
        .needs_artifact(profile, "the requirement profile")
        .approval([]);
        with_examples(spec, Self::NAME)
    }

    async fn call(&self, ctx: &ToolContext, _: Args) -> Result<DocumentOutput, ToolError> {
        let Some(profile) = newest(ctx, Module::RequirementProfile).await? else {
            return Err(ToolError::refused("There is no requirement profile yet."));
        };
        if profile.status == ArtifactStatus::Confirmed {
            return Err(ToolError::refused(
                "The requirement profile is confirmed already.",
            ));
        }
        let (_, made) = confirm(ctx, &profile)?;
        Ok(made)
    }

    fn summary(made: &DocumentOutput) -> String {
        format!(
            "The requirement profile is confirmed.\n\n{}",
            made.summary()
        )
    }
}
