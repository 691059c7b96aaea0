//! The job ad, from the confirmed profile without its internal remarks and from approved facts.

use super::prelude::*;
use serde::Serialize;

use super::requirement_profile::for_ad;
use super::{lines, position_of, proven};
use crate::document::one_line;

/// Statements in one paragraph of the introduction.
const PARAGRAPH: usize = 3;

/// Holds the public part of the profile.
pub(super) struct JobAd(Document);

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Tone {
    Formal,
    Casual,
    Friendly,
}

/// The recruiter's wishes for an ad.
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
    /// The recruiter's words about the company for this ad.
    #[schemars(extend("x-handle" = "text"))]
    company_context: Option<String>,
}

/// The content of an ad. Each statement quotes the words of the profile or of the company's facts that it rests on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct JobAdDraft {
    /// A headline that names the position.
    headline: String,
    /// At most six statements: the job, and honest reasons why somebody would want it.
    intro: Vec<Statement>,
    /// Tasks, addressed to the reader.
    responsibilities: Vec<Statement>,
    /// Every must-have of the profile, and no other.
    must_haves: Vec<Statement>,
    /// Welcome skills that can be missing.
    good_to_haves: Vec<Statement>,
    /// The team and how it works.
    team: Vec<Statement>,
    /// Conditions: pay, place, home office, on call, start.
    offer: Vec<Statement>,
    /// The steps of the recruitment.
    process: Vec<Statement>,
    /// One statement about how to apply; empty if the sources do not say.
    apply: Vec<Statement>,
}

impl Writes for JobAd {
    const MODULE: Module = Module::JobAd;
    const FILE: &'static str = include_str!("../instructions/documents/job_ad.md");
    type Args = Args;
    type Draft = JobAdDraft;

    async fn prepare(call: &Call<'_>, args: Args) -> Result<(Self, Brief), ToolError> {
        let stored = agreed_profile(call.ctx).await?;
        let language = Language::choose(call.ctx, args.language)?;
        let with_pay = args.include_salary == Some(true);
        let position = position_of(call.ctx, &stored.document);
        let profile = for_ad(&stored.document, with_pay);
        let mut sources = Sources::new(language);
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
        let place = Place::of(Module::JobAd, language.code()).built_from([stored.from]);
        let brief = Brief {
            details,
            ..Brief::new(&position, language, sources, place)
        };
        Ok((Self(profile), brief))
    }

    fn document(&self, draft: JobAdDraft, document: &mut Document) {
        if !draft.headline.trim().is_empty() {
            document.title = one_line(&draft.headline);
        }
        let intro = proven(draft.intro, document);
        let paragraphs = intro.chunks(PARAGRAPH).map(|texts| texts.join(" "));
        document.paragraphs("intro", &paragraphs.collect::<Vec<_>>());
        for (id, points) in [
            ("ad_responsibilities", draft.responsibilities),
            ("ad_must_haves", draft.must_haves),
            ("ad_good_to_haves", draft.good_to_haves),
            ("ad_team", draft.team),
            ("ad_offer", draft.offer),
            ("ad_process", draft.process),
        ] {
            let points = proven(points, document);
            document.some_items(id, lines(&points));
        }
        let apply = proven(draft.apply, document).join(" ");
        let apply = if apply.is_empty() { BLANK } else { &apply };
        document.paragraphs("apply", &[apply]);
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
            document.items(id, self.0.items_of(from).cloned().collect());
        }
        document.paragraphs("apply", &[BLANK]);
    }
}
