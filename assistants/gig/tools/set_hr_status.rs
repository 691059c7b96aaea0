//! Records the recruiter's decision about a candidate after its card was approved.

use frontdesk_core::access::Role;
use frontdesk_core::preview::{Fact, ObjectFacts, PreviewSpec};
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{GigReader, ToolAnswer, one, words};
use crate::domain::kinds::{GigHrSelectionStatus, Kind};
use crate::domain::language::Language;
use crate::store::SET_HR_STATUS;

pub(super) struct SetHrStatus(pub(super) GigReader);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Имя кандидата.
    #[schemars(length(min = 1, max = 200))]
    candidate: String,
    /// Решение: INVITE (пригласить на интервью), RECOMMENDED (рекомендовать), NOT_RECOMMENDED (не рекомендовать), REJECTED (отклонить, отказать), SELECTED (выбрать), CONTRACT_SENT (договор отправлен), IN_PROGRESS (в работе), DONE (готово).
    status: GigHrSelectionStatus,
}

impl Tool for SetHrStatus {
    const NAME: &'static str = "set_hr_status";
    type Args = Args;
    type Output = ToolAnswer;

    fn spec() -> ToolSpec {
        ToolSpec::transactional(
            "Записать решение по кандидату: пригласить, отклонить, рекомендовать, выбрать.",
        )
        .title("Решение по кандидату")
        .roles([Role::RECRUITER])
        .target("candidate")
        .card_title("Решение по кандидату: {candidate}")
        .verb("Записать решение")
        .decline("Не записывать")
        .preview(PreviewSpec::new(describe).read("find_candidate", "name"))
        .approval([])
        .example(
            "Пригласи Анну на интервью",
            json!({ "candidate": "Анну", "status": "INVITE" }),
        )
        .example(
            "Отклони Бориса",
            json!({ "candidate": "Бориса", "status": "REJECTED" }),
        )
        .example(
            "invite Anna to an interview",
            json!({ "candidate": "Anna", "status": "INVITE" }),
        )
        .example(
            "reject Boris",
            json!({ "candidate": "Boris", "status": "REJECTED" }),
        )
        .example(
            "Позовём Анну на интервью",
            json!({ "candidate": "Анну", "status": "INVITE" }),
        )
        .example(
            "отметь Анну как рекомендованную",
            json!({ "candidate": "Анну", "status": "RECOMMENDED" }),
        )
        .example(
            "отметь, что у Анны всё готово",
            json!({ "candidate": "Анны", "status": "DONE" }),
        )
        .example(
            "Бориса отклоняем",
            json!({ "candidate": "Бориса", "status": "REJECTED" }),
        )
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<ToolAnswer, ToolError> {
        let (pool, language) = self.0.pool(ctx).await?;
        let candidate = one(&pool, &args.candidate, language)?;
        ctx.change(
            SET_HR_STATUS,
            json!({ "gig": pool.gig.id, "response": candidate.id, "status": args.status }),
        );
        let (name, status) = (words::plain(&candidate.name()), args.status.label(language));
        Ok(ToolAnswer {
            data: json!({ "candidate": candidate.name(), "id": candidate.id, "status": args.status }),
            words: match language {
                Language::Russian => format!("Записано: {name}, решение «{status}»."),
                Language::English => format!("Noted: {name}, decision \"{status}\"."),
            },
        })
    }

    fn summary(answer: &ToolAnswer) -> String {
        answer.words.clone()
    }
}

/// The facts that identify the candidate on the card.
fn describe(candidate: &Value) -> Option<ObjectFacts> {
    let text = |field: &str| candidate.get(field)?.as_str().map(str::to_owned);
    let facts = [
        ("candidate", "Кандидат", text("name")),
        ("price", "Цена", text("price")),
        ("current_status", "Статус", text("status")),
    ];
    Some(ObjectFacts {
        subject: None,
        state: None,
        facts: facts
            .into_iter()
            .filter_map(|(name, label, value)| Some(Fact::new(name, label, value?)))
            .collect(),
    })
}
