//! Two or more candidates side by side, criterion by criterion.

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{GigReader, ToolAnswer, one, words};
use crate::domain::candidate::CandidateContext;
use crate::domain::candidate_summary::CandidateSummary;
use crate::domain::language::Language;
use crate::domain::pool::Pool;

pub(super) struct CompareCandidates(pub(super) GigReader);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Имена кандидатов.
    #[schemars(length(min = 2, max = 5))]
    names: Vec<String>,
}

impl Tool for CompareCandidates {
    const NAME: &'static str = "compare_candidates";
    type Args = Args;
    type Output = ToolAnswer;

    fn spec() -> ToolSpec {
        ToolSpec::read("Сравнить кандидатов между собой.")
            .title("Сравнить кандидатов")
            .roles([Role::RECRUITER])
            .example(
                "Сравни Анну и Бориса",
                json!({ "names": ["Анну", "Бориса"] }),
            )
            .example(
                "who is better, Anna or Boris?",
                json!({ "names": ["Anna", "Boris"] }),
            )
            .example(
                "Анна или Борис, кого выбрать?",
                json!({ "names": ["Анна", "Борис"] }),
            )
            .example(
                "чем Анна отличается от Бориса?",
                json!({ "names": ["Анна", "Бориса"] }),
            )
            .example(
                "put Anna and Boris side by side",
                json!({ "names": ["Anna", "Boris"] }),
            )
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<ToolAnswer, ToolError> {
        let (pool, language) = self.0.pool(ctx).await?;
        let mut chosen: Vec<&CandidateContext> = Vec::new();
        for name in &args.names {
            let candidate = one(&pool, name, language)?;
            if !chosen.iter().any(|other| other.id == candidate.id) {
                chosen.push(candidate);
            }
        }
        if chosen.len() < 2 {
            return Err(ToolError::refused(language.pick(
                "Для сравнения нужны два разных кандидата",
                "Two different candidates are needed for a comparison",
            )));
        }
        let best = chosen
            .iter()
            .copied()
            .min_by_key(|one| one.place().unwrap_or(usize::MAX));
        if let Some(best) = best {
            ctx.suggest(words::next(best, &pool, language).into_iter().take(1));
        }
        let all: Vec<Value> = chosen
            .iter()
            .map(|one| words::data(one, &pool, language))
            .collect();
        let ahead = best.filter(|best| best.place().is_some());
        let data = json!({ "candidates": all, "ahead": ahead.map(CandidateContext::name) });
        let text = format!("\n\n{}", table(&chosen, best, &pool, language));
        Ok(ToolAnswer::about(&pool, language, data, &text))
    }

    fn summary(answer: &ToolAnswer) -> String {
        answer.words.clone()
    }
}

fn table(
    chosen: &[&CandidateContext],
    best: Option<&CandidateContext>,
    pool: &Pool,
    language: Language,
) -> String {
    let summaries: Vec<CandidateSummary> = chosen
        .iter()
        .map(|one| CandidateSummary::of(one, language))
        .collect();
    let row = |label: &str, cells: Vec<String>| format!("| {label} | {} |", cells.join(" | "));
    let names = summaries.iter().map(|one| words::plain(&one.name));
    let mut lines = vec![
        row("", names.collect()),
        row("---", vec!["---".to_owned(); summaries.len()]),
    ];
    let columns: Vec<_> = summaries.iter().map(|one| one.rows(language)).collect();
    lines.extend(columns[0].iter().enumerate().map(|(number, (label, _))| {
        let cells = columns.iter().map(|rows| rows[number].1.to_owned());
        row(label, cells.collect())
    }));
    if let Some(best) = best.filter(|best| best.place().is_some()) {
        let ahead = language.pick("Впереди", "Ahead");
        lines.push(format!(
            "\n{ahead}: {}",
            words::reason(best, pool, language)
        ));
    }
    lines.join("\n")
}
