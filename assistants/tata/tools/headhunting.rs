//! Three messages to candidates, from the profile without its internal remarks.

use super::prelude::*;
use super::requirement_profile::for_ad;
use super::{message, position_of};

/// Holds the public part of the profile.
pub(super) struct Messages(Document);

/// Material for the messages beside the profile.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The candidate's LinkedIn profile as text; one detail of it is used.
    #[schemars(extend("x-handle" = "text"))]
    candidate_profile: Option<String>,
    /// The recruiter's words about the company for these messages.
    #[schemars(extend("x-handle" = "text"))]
    company_context: Option<String>,
    /// Output language; that of the request when absent.
    language: Option<Language>,
}

/// Three messages, each ready to be sent. One entry is one paragraph.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MessagesDraft {
    /// At most 60 words: who, which role, one reason, one question.
    short_direct: Vec<Statement>,
    /// At most 100 words: what the role offers this person, honestly.
    value_proposition: Vec<Statement>,
    /// At most 80 words: an invitation to a short call.
    call_to_action: Vec<Statement>,
}

impl Writes for Messages {
    const MODULE: Module = Module::Headhunting;
    const FILE: &'static str = include_str!("../instructions/documents/headhunting.md");
    type Args = Args;
    type Draft = MessagesDraft;

    async fn prepare(call: &Call<'_>, args: Args) -> Result<(Self, Brief), ToolError> {
        let stored = agreed_profile(call.ctx).await?;
        let language = Language::choose(call.ctx, args.language)?;
        let position = position_of(call.ctx, &stored.document);
        let profile = for_ad(&stored.document, false);
        let mut sources = Sources::new(language);
        sources.add("requirement_profile", &profile.to_markdown());
        sources.add(COMPANY, &call.guide.about_company(language));
        sources.add_argument(call.ctx, "company_context", args.company_context.as_ref());
        let candidate = args.candidate_profile.as_ref();
        sources.add_argument(call.ctx, "candidate_profile", candidate);
        let sender = call.ctx.principal().name();
        let details = format!("The position: {position}\nThe sender: {sender}");
        sources.add(CALL, &details);
        let place = Place::of(Module::Headhunting, language.code()).built_from([stored.from]);
        let brief = Brief {
            details: vec![details],
            ..Brief::new(&position, language, sources, place)
        };
        Ok((Self(profile), brief))
    }

    fn document(&self, draft: MessagesDraft, document: &mut Document) {
        for (id, statements) in [
            ("short_direct", draft.short_direct),
            ("value_proposition", draft.value_proposition),
            ("call_to_action", draft.call_to_action),
        ] {
            let paragraphs = message(&statements, document);
            document.paragraphs(id, &paragraphs);
        }
    }

    fn fallback(&self, _: &[SourceText], document: &mut Document) {
        document.paragraphs("short_direct", &[BLANK]);
        for id in ["responsibilities", "must_haves"] {
            document.items(id, self.0.items_of(id).cloned().collect());
        }
    }
}
