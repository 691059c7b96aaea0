//! Livelier wording for a job ad, by the model. What does not pass the checks of the ad itself is not used.

use std::sync::Arc;

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use crate::tata::domain::desk::Produced;
use crate::tata::domain::job_ad::JobAd;
use crate::tata::domain::job_ad::polish::{PolishInput, check_polished};
use crate::tata::domain::module::Module;
use crate::tata::domain::print::Printed;
use crate::tata::workshop::{Made, Place, Workshop, keep};

pub(super) struct PolishJobAd(pub(super) Arc<Workshop>);

impl Tool for PolishJobAd {
    const NAME: &'static str = "polish_job_ad";
    type Args = PolishInput;
    type Output = Made;

    fn spec() -> ToolSpec {
        let ad = Module::JobAd.facts().artifact;
        ToolSpec::transactional(
            "Offer better wording for sections of the newest job ad, when the recruiter asks for it. Give only the sections that \
             change, in the ad's language and length, with nothing added. It is used only if it passes the checks of the ad. \
             It requires a job ad first.",
        )
        .title("Polish the job ad")
        .undoable()
        .roles([Role::RECRUITER])
        .needs_artifact(ad, "the job ad")
        .example(
            "Use this headline for the ad: Network Engineer in Stockholm",
            json!({ "headline": "Network Engineer in Stockholm" }),
        )
        .example("Change the headline of the job ad to Join our network team", json!({ "headline": "Join our network team" }))
        .example("new headline for the ad: Join our network team", json!({ "headline": "Join our network team" }))
        .example("the headline should read Join our network team", json!({ "headline": "Join our network team" }))
        .example("Change the intro of the ad: We build fibre in the north", json!({ "intro": "We build fibre in the north" }))
        .example("Replace the ending of the ad with: Apply today", json!({ "ending": "Apply today" }))
        .example("Byt rubriken i annonsen till Tekniker i Malmö", json!({ "headline": "Tekniker i Malmö" }))
        .example("Ändra inledningen i annonsen: Du gillar nät", json!({ "intro": "Du gillar nät" }))
        .example("Skift overskriften i opslaget til Tekniker i Aarhus", json!({ "headline": "Tekniker i Aarhus" }))
        .example("Endre overskriften i annonsen til Tekniker i Bergen", json!({ "headline": "Tekniker i Bergen" }))
        .example("Ändere die Überschrift der Anzeige in Techniker in Hamburg", json!({ "headline": "Techniker in Hamburg" }))
        .example("Ändere die Einleitung der Anzeige: Du magst Netze", json!({ "intro": "Du magst Netze" }))
    }

    async fn call(&self, ctx: &ToolContext, args: PolishInput) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let profile = self.0.agreed_profile(ctx, &bench).await?;
        let found = self.0.newest::<JobAd>(ctx, Module::JobAd).await?;
        let Some(ad) = found else {
            return Err(ToolError::refused(
                "There is no job ad in this project yet.",
            ));
        };
        let polished = ad.content.polished(args, ctx.now());
        if polished.texts() == ad.content.texts() {
            return Err(ToolError::refused(
                "Nothing of the ad was changed. Say which section should be worded how.",
            ));
        }
        let text = polished.document(self.0.library).to_text();
        check_polished(&ad.content, &text, &profile.content, &bench.desk()).map_err(
            |problems| {
                ToolError::refused(format!(
                    "The polished version was not used and the ad stays as it was: {problems}"
                ))
            },
        )?;
        let place =
            Place::of(Module::JobAd, polished.language.code()).built_from([profile.from, ad.from]);
        let produced = Produced {
            artifact: polished,
            warnings: Vec::new(),
        };
        keep(ctx, &bench, &place, &produced)
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
