//! Writing a document: one request to the model with its instructions, sources and language, and
//! the notes about what did not pass the check.

use frontdesk_core::draft::{Draft, DraftError, Drafted, LeftOut};
use frontdesk_core::tool::{ToolContext, ToolError};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::facts::Facts;
use super::guides::Guides;
use super::labels::labels;
use super::language::Language;
use super::sources::Sources;
use super::style_guide::StyleGuide;

/// The name of what may be said about the company, as a source.
pub(super) const COMPANY: &str = "company";

/// What all tools share.
pub(super) struct Resources {
    pub(super) guides: Guides,
    pub(super) facts: Facts,
}

impl Resources {
    /// The company's style guide with the facts that were approved in conversations.
    pub(super) async fn guide(&self, ctx: &ToolContext) -> Result<StyleGuide, ToolError> {
        let conversation = ctx.conversation();
        let facts = self.facts.of(ctx.principal(), conversation).await;
        let mut guide = self
            .guides
            .of(conversation.company_id)
            .map_err(ToolError::refused)?;
        for fact in facts.map_err(ToolError::failed)? {
            guide.add_fact(fact.language, &fact.sentence);
        }
        Ok(guide)
    }
}

/// One document to be written.
pub(super) struct Task<'a> {
    /// A file of `instructions/documents`.
    pub(super) instructions: &'static str,
    /// Shown while it is written.
    pub(super) progress: &'static str,
    pub(super) language: Language,
    pub(super) guide: &'a StyleGuide,
    /// What the call asks for beyond the instructions.
    pub(super) details: Vec<String>,
    pub(super) sources: &'a Sources,
    /// Values of the call that figures and dates may come from.
    pub(super) known: Vec<String>,
}

/// The content that the model wrote, with notes for the recruiter; `None` where there is no
/// language model.
pub(super) async fn write<T>(
    ctx: &ToolContext,
    task: Task<'_>,
) -> Result<Option<(T, Vec<String>)>, ToolError>
where
    T: DeserializeOwned + JsonSchema,
{
    let mut parts = vec![
        task.instructions.trim().to_owned(),
        format!(
            "Write in {}. Quotes stay in the language of their source.",
            task.language.name()
        ),
        task.guide.wording(task.language),
    ];
    parts.extend(task.details);
    let draft = Draft {
        instructions: parts.join("\n\n"),
        progress: task.progress.to_owned(),
        sources: task.sources.texts.clone(),
        known: task.known,
        max_tokens: None,
    };
    match ctx.draft::<T>(draft).await {
        Ok(Drafted { content, left_out }) => Ok(Some((content, notes(&left_out, task.language)))),
        Err(DraftError::Unavailable) => Ok(None),
        Err(
            error @ (DraftError::OutOfBudget
            | DraftError::Model(_)
            | DraftError::Refused
            | DraftError::Unusable(_)),
        ) => Err(error.into()),
    }
}

fn notes(left_out: &[LeftOut], language: Language) -> Vec<String> {
    let note = |part: &LeftOut| labels(language).note("left_out", &[("text", &part.text)]);
    left_out.iter().map(note).collect()
}
