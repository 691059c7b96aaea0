//! Toolboxes as assistants declare them.

use bytes::Bytes;
use frontdesk_core::tool::{ToolDef, ToolSpec};
use frontdesk_core::toolbox::Offer;
use serde_json::{Value, json};

use super::{passes, procurement, recruiting};

pub(crate) fn offer(tools: Vec<ToolDef>) -> Offer {
    let json: Vec<Value> = tools.iter().map(ToolDef::to_openai_format).collect();
    Offer {
        json: Bytes::from(Value::Array(json).to_string()),
        tools,
        elsewhere: Vec::new(),
        phrasings: std::sync::Arc::default(),
    }
}

pub(crate) fn tool(name: &'static str, parameters: Value, spec: ToolSpec) -> ToolDef {
    ToolDef {
        name: name.into(),
        parameters,
        spec,
    }
}

pub(crate) fn object(properties: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

pub(crate) fn named(name: &str) -> Offer {
    match name {
        "hr" => offer(passes::hr()),
        "admin" => offer(passes::admin()),
        "gate" => offer(passes::gate()),
        "gig" => offer(gig()),
        "reminders" => offer(reminders()),
        "docs" => offer(docs()),
        "procurement" => offer(procurement::tools()),
        "helpdesk" => offer(helpdesk()),
        "recruiting" => offer(recruiting::tools()),
        other => panic!("no toolbox {other}"),
    }
}

pub(super) const ALL: [&str; 9] = [
    "hr",
    "admin",
    "gate",
    "gig",
    "reminders",
    "docs",
    "helpdesk",
    "procurement",
    "recruiting",
];

pub(super) fn gig() -> Vec<ToolDef> {
    vec![
        tool(
            "find_candidate",
            object(
                json!({"name": {"type": "string", "description": "Имя кандидата или его часть."}}),
                &["name"],
            ),
            ToolSpec::read("Найти кандидата по имени и показать его профиль.")
                .title("Найти кандидата")
                .example(
                    "Расскажи про Марию Иванову",
                    json!({"name": "Марию Иванову"}),
                )
                .example("tell me about Anna", json!({"name": "Anna"})),
        ),
        tool(
            "compare_candidates",
            object(
                json!({"names": {"type": "array", "items": {"type": "string"}, "minItems": 2, "description": "Имена кандидатов."}}),
                &["names"],
            ),
            ToolSpec::read("Сравнить кандидатов между собой.")
                .title("Сравнить кандидатов")
                .example("Сравни Анну и Бориса", json!({"names": ["Анну", "Бориса"]}))
                .example(
                    "who is better, Anna or Boris?",
                    json!({"names": ["Anna", "Boris"]}),
                ),
        ),
        tool(
            "best_candidates",
            object(
                json!({"limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 20, "description": "Сколько показать."}}),
                &[],
            ),
            ToolSpec::read("Показать лучших кандидатов по рейтингу.")
                .title("Лучшие кандидаты")
                .example("Кто лучший?", json!({}))
                .example("топ 3 кандидата", json!({"limit": 3})),
        ),
        tool(
            "filter_candidates",
            object(
                json!({
                    "max_price": {"type": ["integer", "null"], "minimum": 0, "description": "Цена не выше, в рублях."},
                    "max_days": {"type": ["integer", "null"], "minimum": 1, "description": "Срок не больше, в днях."},
                    "status": {"type": ["string", "null"], "enum": ["NEW", "EVALUATED", "INTERVIEW", "NEGOTIATION", "COMPLETED", "SKIPPED", null],
                        "description": "Статус отклика: NEW (новый), EVALUATED (оценён), INTERVIEW (на интервью), NEGOTIATION (переговоры), COMPLETED (завершён), SKIPPED (пропущен)."},
                }),
                &[],
            ),
            ToolSpec::read("Отобрать кандидатов по цене, сроку и статусу.")
                .title("Отобрать кандидатов")
                .example(
                    "Кто укладывается в 50 000 рублей?",
                    json!({"max_price": 50000}),
                )
                .example("кто сделает за 5 дней", json!({"max_days": 5}))
                .example("покажи новые отклики", json!({"status": "NEW"})),
        ),
        tool(
            "candidate_statistics",
            object(json!({}), &[]),
            ToolSpec::read("Статистика по откликам: сколько откликов, средняя цена, навыки.")
                .title("Статистика откликов")
                .example("Сколько всего откликов?", json!({}))
                .example("какая средняя цена", json!({})),
        ),
        tool(
            "set_selection",
            object(
                json!({
                    "candidate": {"type": "string", "description": "Имя кандидата."},
                    "decision": {"type": "string", "oneOf": [
                        {"const": "INVITE", "description": "пригласить на интервью"},
                        {"const": "REJECTED", "description": "отклонить, отказать"},
                        {"const": "RECOMMENDED", "description": "рекомендовать"},
                    ], "description": "Решение"},
                }),
                &["candidate", "decision"],
            ),
            ToolSpec::transactional(
                "Записать решение по кандидату: пригласить, отклонить, рекомендовать.",
            )
            .title("Решение по кандидату")
            .target("candidate")
            .example(
                "Пригласи Анну на интервью",
                json!({"candidate": "Анну", "decision": "INVITE"}),
            )
            .example(
                "Отклони Бориса",
                json!({"candidate": "Бориса", "decision": "REJECTED"}),
            ),
        ),
        tool(
            "send_offer",
            object(
                json!({
                    "candidate": {"type": "string", "description": "Имя кандидата."},
                    "price": {"type": "integer", "minimum": 1, "description": "Цена в рублях."},
                }),
                &["candidate", "price"],
            ),
            ToolSpec::at_most_once("Отправить кандидату оффер с ценой.")
                .title("Отправить оффер")
                .target("candidate")
                .example(
                    "Отправь оффер Анне на 40000 рублей",
                    json!({"candidate": "Анне", "price": 40000}),
                ),
        ),
    ]
}

pub(super) fn reminders() -> Vec<ToolDef> {
    let id = json!({"type": "string", "pattern": "^R-\\d+$", "description": "Number of the reminder, like R-12."});
    vec![
        tool(
            "create_reminder",
            object(
                json!({
                    "text": {"type": "string", "description": "What to be reminded of.", "maxLength": 300},
                    "due": {"type": "string", "format": "date-time", "description": "When: day and time."},
                    "priority": {"type": ["string", "null"], "enum": ["high", "normal", "low", null], "description": "How urgent it is."},
                }),
                &["text", "due"],
            ),
            ToolSpec::transactional("Set a reminder for a moment.")
                .title("Set a reminder")
                .example(
                    "remind me to call the bank on 2026-12-01 at 14:00",
                    json!({"text": "call the bank", "due": "2026-12-01T14:00:00Z"}),
                )
                .example(
                    "påminn mig om att ringa Anna 2026-12-01 kl 9:30",
                    json!({"text": "ringa Anna", "due": "2026-12-01T09:30:00Z"}),
                ),
        ),
        tool(
            "list_reminders",
            object(
                json!({
                    "state": {"type": ["string", "null"], "enum": ["open", "done", "overdue", null], "description": "Only these."},
                    "day": {"type": ["string", "null"], "format": "date", "description": "Only those of this day."},
                }),
                &[],
            ),
            ToolSpec::read("List reminders.")
                .title("Show reminders")
                .example("show my reminders", json!({}))
                .example("what is overdue?", json!({"state": "overdue"})),
        ),
        tool(
            "complete_reminder",
            object(json!({"reminder": id.clone()}), &["reminder"]),
            ToolSpec::transactional("Mark a reminder as done.")
                .title("Complete a reminder")
                .target("reminder")
                .example("R-12 is done", json!({"reminder": "R-12"}))
                .example("tick off R-3", json!({"reminder": "R-3"})),
        ),
        tool(
            "delete_reminder",
            object(json!({"reminder": id.clone()}), &["reminder"]),
            ToolSpec::transactional("Delete a reminder.")
                .title("Delete a reminder")
                .target("reminder")
                .example("delete R-12", json!({"reminder": "R-12"})),
        ),
        tool(
            "move_reminder",
            object(
                json!({"reminder": id, "due": {"type": "string", "format": "date-time", "description": "The new day and time."}}),
                &["reminder", "due"],
            ),
            ToolSpec::transactional("Move a reminder to another moment.")
                .title("Move a reminder")
                .target("reminder")
                .example(
                    "move R-12 to 2026-12-02 at 10:00",
                    json!({"reminder": "R-12", "due": "2026-12-02T10:00:00Z"}),
                ),
        ),
    ]
}

pub(super) fn docs() -> Vec<ToolDef> {
    vec![tool(
        "search_docs",
        object(
            json!({
                "query": {"type": "string", "description": "The question or the words to look for."},
                "top_k": {"type": ["integer", "null"], "minimum": 1, "maximum": 10, "description": "How many passages."},
            }),
            &["query"],
        ),
        ToolSpec::read("Search the handbook for passages that answer a question.")
            .title("Search the handbook"),
    )]
}

pub(super) fn helpdesk() -> Vec<ToolDef> {
    let ticket = || json!({"type": "string", "pattern": "^T-[0-9]+$", "description": "Ticket number, like T-12."});
    let one = || object(json!({"ticket": ticket()}), &["ticket"]);
    vec![
        tool(
            "create_ticket",
            object(
                json!({
                    "title": {"type": "string", "description": "What is wrong, in a sentence.", "maxLength": 200},
                    "priority": {"type": ["string", "null"], "enum": ["low", "normal", "high", null], "description": "How urgent it is."},
                }),
                &["title"],
            ),
            ToolSpec::at_most_once("Open a support ticket.")
                .title("Open a ticket")
                .example(
                    "open a ticket: the projector is dead",
                    json!({"title": "the projector is dead"}),
                ),
        ),
        tool(
            "get_ticket",
            one(),
            ToolSpec::read("Show one ticket with its history.")
                .title("Details of a ticket")
                .example("show T-12", json!({"ticket": "T-12"})),
        ),
        tool(
            "list_tickets",
            object(
                json!({"status": {"type": ["string", "null"], "enum": ["open", "closed", null], "description": "Only tickets in this state."}}),
                &[],
            ),
            ToolSpec::read("List tickets.")
                .title("Show tickets")
                .example("list tickets", json!({})),
        ),
        tool(
            "close_ticket",
            one(),
            ToolSpec::transactional("Close a ticket that is resolved.")
                .title("Close a ticket")
                .target("ticket")
                .example("close T-12", json!({"ticket": "T-12"})),
        ),
        tool(
            "assign_ticket",
            object(
                json!({"ticket": ticket(), "assignee": {"type": "string", "description": "Name of the colleague who takes it."}}),
                &["ticket", "assignee"],
            ),
            ToolSpec::transactional("Assign a ticket to a colleague.")
                .title("Assign a ticket")
                .target("ticket")
                .example(
                    "assign T-12 to Ann Lee",
                    json!({"ticket": "T-12", "assignee": "Ann Lee"}),
                ),
        ),
        tool(
            "add_comment",
            object(
                json!({"ticket": ticket(), "text": {"type": "string", "description": "The comment."}}),
                &["ticket", "text"],
            ),
            ToolSpec::transactional("Add a comment to a ticket.")
                .title("Comment on a ticket")
                .target("ticket")
                .example(
                    "comment on T-12: ordered a new one",
                    json!({"ticket": "T-12", "text": "ordered a new one"}),
                ),
        ),
        tool(
            "escalate_ticket",
            one(),
            ToolSpec::transactional("Escalate a ticket to the second level.")
                .title("Escalate a ticket")
                .target("ticket"),
        ),
    ]
}

/// One tool for both directions: what it is told to add and what to remove.
pub(super) fn change_list() -> ToolDef {
    tool(
        "change_list",
        object(
            json!({
                "add": {"type": ["array", "null"], "items": {"type": "string"}, "description": "Machines to put on the list."},
                "remove": {"type": ["array", "null"], "items": {"type": "string"}, "description": "Machines to take off the list."},
            }),
            &[],
        ),
        ToolSpec::transactional("Put machines on the list or take them off.")
            .title("Change the list")
            .example(
                "put the Omega One on the list",
                json!({"add": ["Omega One"]}),
            )
            .example(
                "take the Omega One off the list",
                json!({"remove": ["Omega One"]}),
            )
            .example("show the list", json!({})),
    )
}
