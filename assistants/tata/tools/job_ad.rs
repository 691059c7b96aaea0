//! The job ad, from the confirmed profile without its internal remarks and from approved facts.

use super::prelude::*;
use serde::Serialize;

use super::requirement_profile::for_ad;
use super::{Point, copied, plain, position_of};
use crate::document::one_line;

/// Holds the profile without what the ad does not say.
pub(super) struct JobAd(Document);

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Tone {
    Formal,
    Casual,
    Friendly,
}

/// What the recruiter wants of an ad.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The tone of the job advertisement.
    tone: Option<Tone>,
    /// Whether to include salary information, as the profile has it (default: no).
    include_salary: Option<bool>,
    /// Output language for the job ad; that of the request when absent.
    language: Option<Language>,
    /// Previous job advertisement for reference.
    #[schemars(extend("x-handle" = "text"))]
    old_job_ad: Option<String>,
    /// What the recruiter says about the company for this ad.
    #[schemars(extend("x-handle" = "text"))]
    company_context: Option<String>,
}

/// The content of an ad. Each point names the words of the profile or of the company's facts that it rests on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct JobAdDraft {
    /// A headline that names the position.
    headline: String,
    /// One or two paragraphs: what the job is and why somebody would want it, honestly.
    intro: Vec<String>,
    /// What the person will do, addressed to the reader.
    responsibilities: Vec<Point>,
    /// What the reader must bring. Every must-have of the profile, no other.
    must_haves: Vec<Point>,
    /// What is welcome and can be missing.
    good_to_haves: Vec<Point>,
    /// The team and how it works.
    team: Vec<Point>,
    /// Conditions: pay, place, home office, on call, start.
    offer: Vec<Point>,
    /// The steps of the recruitment.
    process: Vec<Point>,
    /// One sentence that says how to apply; […] where the sources do not say.
    apply: String,
}

impl Writes for JobAd {
    const MODULE: Module = Module::JobAd;
    const FILE: &'static str = include_str!("../instructions/documents/job_ad.md");
    type Args = Args;
    type Draft = JobAdDraft;

    async fn prepare(call: &Call<'_>, args: Args) -> Result<(Self, Brief), ToolError> {
        let stored = agreed_profile(call.ctx).await?;
        let language = Language::choose(call.ctx, args.language);
        let with_pay = args.include_salary == Some(true);
        let position = position_of(call.ctx, &stored.document);
        let profile = for_ad(&stored.document, with_pay);
        let mut sources = Sources::new(labels(language));
        sources.add("requirement_profile", &profile.to_markdown());
        sources.add(COMPANY, &call.guide.about_company(language));
        sources.add_argument(call.ctx, "company_context", args.company_context.as_ref());
        sources.add_argument(call.ctx, "old_job_ad", args.old_job_ad.as_ref());
        let pay = labels(profile.language).word("pay");
        let is_pay = |item: &Item| item.label.as_deref() == Some(pay);
        if with_pay && !profile.items_of("conditions").any(is_pay) {
            sources.note("no_pay", &[]);
        }
        let mut details = vec![format!("The position: {position}")];
        if let Some(tone) = args.tone {
            details.push(format!("Tone: {tone:?}.").to_lowercase());
        }
        if !with_pay {
            details.push("Say nothing about the salary.".to_owned());
        }
        let brief = Brief {
            of: position.clone(),
            language,
            sources,
            details,
            known: vec![position.clone()],
            place: Place::of(Module::JobAd, language.code()).built_from([stored.from]),
        };
        Ok((Self(profile), brief))
    }

    fn document(&self, draft: JobAdDraft, document: &mut Document) {
        if !draft.headline.trim().is_empty() {
            document.title = one_line(&draft.headline);
        }
        document.paragraphs("intro", &draft.intro);
        for (id, points) in [
            ("ad_responsibilities", draft.responsibilities),
            ("ad_must_haves", draft.must_haves),
            ("ad_good_to_haves", draft.good_to_haves),
            ("ad_team", draft.team),
            ("ad_offer", draft.offer),
            ("ad_process", draft.process),
        ] {
            document.some_items(id, plain(&points));
        }
        let apply = Some(draft.apply.trim()).filter(|apply| !apply.is_empty());
        document.paragraphs("apply", &[apply.unwrap_or(BLANK)]);
    }

    fn fallback(&self, _: &[SourceText], document: &mut Document) {
        document.paragraphs("intro", &[BLANK]);
        for (id, from) in [
            ("ad_responsibilities", "responsibilities"),
            ("ad_must_haves", "must_haves"),
            ("ad_good_to_haves", "good_to_haves"),
            ("ad_team", "team"),
            ("ad_offer", "conditions"),
        ] {
            document.items(id, copied(&self.0, from));
        }
        document.paragraphs("apply", &[BLANK]);
    }
}
