//! A new fact about the company: proposed by the call, used only when somebody approved its card.

use serde_json::json;

use super::prelude::*;
use crate::document::one_line;
use crate::facts::{ApprovedFact, KEEP_FACT};

pub(super) struct AddCompanyFact;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The fact as one sentence, in the recruiter's words, as it may stand in a job ad.
    #[schemars(length(min = 1, max = 300))]
    sentence: String,
    /// The language of the sentence; its own when absent.
    language: Option<Language>,
}

impl Tool for AddCompanyFact {
    const NAME: &'static str = "add_company_fact";
    type Args = Args;
    type Output = ApprovedFact;

    fn spec() -> ToolSpec {
        let spec = ToolSpec::transactional(
            "Propose a new fact about the company for the style guide. It is used in documents only after it was approved on a card.",
        )
        .title("Approve a fact about the company")
        .roles([Role::RECRUITER])
        .approval([]);
        with_examples(spec, Self::NAME)
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<ApprovedFact, ToolError> {
        let sentence = one_line(&args.sentence);
        if sentence.is_empty() {
            return Err(ToolError::refused(
                "The fact is empty. Write it as one sentence.",
            ));
        }
        let language = args.language.or_else(|| Language::of_text(&sentence));
        let fact = ApprovedFact {
            language: Language::choose(ctx, language)?,
            sentence,
        };
        ctx.change(
            KEEP_FACT,
            json!({ "language": fact.language, "sentence": fact.sentence, "at": ctx.now() }),
        );
        Ok(fact)
    }

    fn summary(fact: &ApprovedFact) -> String {
        format!("Approved, and used from now on: {}", fact.sentence)
    }
}
