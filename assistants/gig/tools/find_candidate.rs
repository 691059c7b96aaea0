//! One candidate by name: the whole profile, or similar names.

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{GigReader, ToolAnswer, candidate_card, one, words};

pub(super) struct FindCandidate(pub(super) GigReader);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Имя кандидата или его часть.
    #[schemars(length(min = 1, max = 200))]
    name: String,
}

impl Tool for FindCandidate {
    const NAME: &'static str = "find_candidate";
    type Args = Args;
    type Output = ToolAnswer;

    fn spec() -> ToolSpec {
        ToolSpec::read("Найти кандидата по имени и показать его профиль: цена, срок, опыт, оценки, сильные и слабые стороны.")
            .title("Найти кандидата")
            .roles([Role::RECRUITER])
            .example("Расскажи про Марию Иванову", json!({ "name": "Марию Иванову" }))
            .example("tell me about Anna", json!({ "name": "Anna" }))
            .example("дай информацию по Анне Петровой", json!({ "name": "Анне Петровой" }))
            .example("сколько просит Анна?", json!({ "name": "Анна" }))
            .example("open the card of Anna", json!({ "name": "Anna" }))
            .example("what are Anna's strengths?", json!({ "name": "Anna" }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<ToolAnswer, ToolError> {
        let (pool, language) = self.0.pool(ctx).await?;
        let candidate = one(&pool, &args.name, language)?;
        ctx.suggest(words::next(candidate, &pool, language));
        ctx.show(candidate_card(candidate, &pool, language));
        let data = words::data(candidate, &pool, language);
        let text = words::profile(candidate, &pool.gig, language);
        Ok(ToolAnswer::about(&pool, language, data, &text))
    }

    fn summary(answer: &ToolAnswer) -> String {
        answer.words.clone()
    }
}
