//! Three messages to candidates, from the profile without its internal remarks.

use super::prelude::*;
use super::requirement_profile::for_ad;
use super::{copied, position_of};

/// Holds the profile without what candidates are not told.
pub(super) struct Messages(Document);

/// What the messages may use beside the profile.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The candidate's LinkedIn profile as text; one detail of it is used.
    #[schemars(extend("x-handle" = "text"))]
    candidate_profile: Option<String>,
    /// What the recruiter says about the company for these messages.
    #[schemars(extend("x-handle" = "text"))]
    company_context: Option<String>,
    /// Output language; that of the request when absent.
    language: Option<Language>,
}

/// Three messages, each ready to be sent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MessagesDraft {
    /// At most 60 words: who, which role, one reason, one question.
    short_direct: Vec<String>,
    /// At most 100 words: what the role offers this person, honestly.
    value_proposition: Vec<String>,
    /// At most 80 words: an invitation to a short call.
    call_to_action: Vec<String>,
}

impl Writes for Messages {
    const MODULE: Module = Module::Headhunting;
    const FILE: &'static str = include_str!("../instructions/documents/headhunting.md");
    type Args = Args;
    type Draft = MessagesDraft;

    async fn prepare(call: &Call<'_>, args: Args) -> Result<(Self, Brief), ToolError> {
        let stored = agreed_profile(call.ctx).await?;
        let language = Language::choose(call.ctx, args.language);
        let position = position_of(call.ctx, &stored.document);
        let profile = for_ad(&stored.document, false);
        let mut sources = Sources::new(labels(language));
        sources.add("requirement_profile", &profile.to_markdown());
        sources.add(COMPANY, &call.guide.about_company(language));
        sources.add_argument(call.ctx, "company_context", args.company_context.as_ref());
        sources.add_argument(
            call.ctx,
            "candidate_profile",
            args.candidate_profile.as_ref(),
        );
        let brief = Brief {
            of: position.clone(),
            language,
            sources,
            details: vec![
                format!("The position: {position}"),
                format!("The sender: {}", call.ctx.principal().name()),
            ],
            known: vec![position.clone()],
            place: Place::of(Module::Headhunting, language.code()).built_from([stored.from]),
        };
        Ok((Self(profile), brief))
    }

    fn document(&self, draft: MessagesDraft, document: &mut Document) {
        document.paragraphs("short_direct", &draft.short_direct);
        document.paragraphs("value_proposition", &draft.value_proposition);
        document.paragraphs("call_to_action", &draft.call_to_action);
    }

    fn fallback(&self, _: &[SourceText], document: &mut Document) {
        document.paragraphs("short_direct", &[BLANK]);
        for id in ["responsibilities", "must_haves"] {
            document.items(id, copied(&self.0, id));
        }
    }
}
