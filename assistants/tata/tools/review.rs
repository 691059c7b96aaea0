//! What the two reviews of a job ad share.

use frontdesk_core::tool::{ToolContext, ToolError};

use crate::tata::documents::{Made, Place, keep, newest};
use crate::tata::drafting::{Resources, Task, write};
use crate::tata::drafts::review::{AD, INCLUSION, JOB_AD, Review, document, fallback, hints};
use crate::tata::labels::labels;
use crate::tata::language::Language;
use crate::tata::module::Module;
use crate::tata::sources::Sources;

/// What is to be reviewed.
pub(super) struct Request {
    pub(super) review: Review,
    /// The pasted ad; the project's own where it is empty.
    pub(super) job_ad_text: String,
    pub(super) language: Option<Language>,
    pub(super) details: Vec<String>,
}

/// Reviews the pasted ad, or the project's own. The ad itself is never changed.
pub(super) async fn review(
    resources: &Resources,
    ctx: &ToolContext,
    request: Request,
) -> Result<Made, ToolError> {
    let language = Language::choose(ctx, request.language);
    let mut sources = Sources::new(labels(language));
    let own = newest(ctx, Module::JobAd).await?;
    let mut built_from = None;
    if !request.job_ad_text.trim().is_empty() {
        sources.add_argument(ctx, AD, Some(&request.job_ad_text));
    } else if let Some(own) = own {
        sources.add(AD, &own.document.to_markdown());
        built_from = Some(own.from);
    }
    let Some(ad) = sources.texts.first().map(|source| source.text.clone()) else {
        return Err(ToolError::refused(
            "The job ad is empty, and the project has none yet. Paste the job ad text.",
        ));
    };
    let guide = resources.guide(ctx).await?;
    let (instructions, module) = match request.review {
        Review::JobAd => (JOB_AD, Module::JobAdReview),
        Review::Inclusion => (INCLUSION, Module::DiReview),
    };
    let mut details = request.details;
    details.extend(hints(&ad, request.review, &guide));
    let task = Task {
        instructions,
        progress: "Reviewing the job ad…",
        language,
        guide: &guide,
        details,
        sources: &sources,
        known: Vec::new(),
    };
    let mut written = match write(ctx, task).await? {
        Some((draft, notes)) => {
            let mut written = document(request.review, draft, language);
            written.notes = notes;
            written
        }
        None => fallback(request.review, &ad, &guide, language),
    };
    written.notes.extend(sources.notes);
    keep(ctx, Place::of(module, "").built_from(built_from), &written)
}
