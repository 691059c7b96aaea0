//! Toolboxes as assistants declare them.

use bytes::Bytes;
use frontdesk_core::tool::{ToolDef, ToolSpec};
use frontdesk_core::toolbox::Offer;
use serde_json::{Value, json};

pub(super) fn offer(tools: Vec<ToolDef>) -> Offer {
    let json: Vec<Value> = tools.iter().map(ToolDef::to_openai_format).collect();
    Offer {
        json: Bytes::from(Value::Array(json).to_string()),
        tools,
    }
}

pub(super) fn tool(name: &'static str, parameters: Value, spec: ToolSpec) -> ToolDef {
    ToolDef {
        name: name.into(),
        parameters,
        spec,
    }
}

pub(super) fn object(properties: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn number() -> Value {
    json!({"type": "string", "pattern": r"^GP-\d{4}-\d{4,6}$", "description": "Pass number, like GP-2026-0001."})
}

fn status() -> Value {
    json!({"type": ["string", "null"], "enum": ["pending", "approved", "rejected", "exited", "returned", null],
        "description": "Only passes in this state."})
}

pub(super) fn named(name: &str) -> Offer {
    match name {
        "hr" => offer(hr()),
        "admin" => offer(admin()),
        "gate" => offer(gate()),
        "gig" => offer(gig()),
        "reminders" => offer(reminders()),
        "docs" => offer(docs()),
        "helpdesk" => offer(helpdesk()),
        "recruiting" => offer(super::recruiting::tools()),
        other => panic!("no toolbox {other}"),
    }
}

pub(super) const ALL: [&str; 8] = [
    "hr",
    "admin",
    "gate",
    "gig",
    "reminders",
    "docs",
    "helpdesk",
    "recruiting",
];

fn qr() -> ToolDef {
    tool(
        "get_qr_code",
        object(json!({"pass_number": number()}), &["pass_number"]),
        ToolSpec::read("Generate a QR code for a gate pass.")
            .title("QR code of a pass")
            .example(
                "QR code for GP-2026-0003",
                json!({"pass_number": "GP-2026-0003"}),
            ),
    )
}

fn mark_read() -> ToolDef {
    tool(
        "mark_notification_read",
        object(
            json!({"notification_id": {"type": "string", "description": "The notification's ID."}}),
            &["notification_id"],
        ),
        ToolSpec::idempotent("Mark a notification as read.")
            .title("Mark a notification as read")
            .target("notification_id")
            .example(
                "mark notification 17 as read",
                json!({"notification_id": "17"}),
            ),
    )
}

pub(super) fn hr() -> Vec<ToolDef> {
    vec![
        tool(
            "create_gate_pass",
            object(
                json!({
                    "person_name": {"type": "string", "description": "Name of the person who leaves.", "minLength": 1, "maxLength": 100},
                    "description": {"type": "string", "description": "Purpose of the gate pass.", "minLength": 1, "maxLength": 500},
                    "is_returnable": {"type": "boolean", "description": "Whether the person will return."},
                }),
                &["person_name", "description", "is_returnable"],
            ),
            ToolSpec::at_most_once("Create a new gate pass for a person. Needs the person's name, the purpose, and whether the person will return.")
                .title("Create a gate pass")
                .example(
                    "Create a gate pass for Ali Khan to visit the bank, he will return",
                    json!({"person_name": "Ali Khan", "description": "visit the bank", "is_returnable": true}),
                )
                .example(
                    "New pass for Sara Ahmed, medical appointment, she won't come back",
                    json!({"person_name": "Sara Ahmed", "description": "medical appointment", "is_returnable": false}),
                ),
        ),
        tool(
            "list_gate_passes",
            object(json!({"status": status()}), &[]),
            ToolSpec::read("List all gate passes with optional status filtering.")
                .title("List gate passes")
                .example("show all passes", json!({}))
                .example("which passes are approved?", json!({"status": "approved"}))
                .example("what is waiting for approval", json!({"status": "pending"})),
        ),
        tool(
            "get_gate_pass_details",
            object(json!({"pass_id": {"type": "string", "description": "The gate pass ID or its number."}}), &["pass_id"]),
            ToolSpec::read("Get detailed information about a specific gate pass using its ID.")
                .title("Details of a pass")
                .example("details of GP-2026-0001", json!({"pass_id": "GP-2026-0001"})),
        ),
        tool(
            "print_gate_pass",
            object(json!({"pass_number": number()}), &["pass_number"]),
            ToolSpec::read("Generate a printable version of a gate pass using its pass number.")
                .title("Print a pass")
                .example("print GP-2026-0001", json!({"pass_number": "GP-2026-0001"})),
        ),
        tool(
            "get_hr_notifications",
            object(json!({}), &[]),
            ToolSpec::read("Retrieve notifications for HR users.")
                .title("My notifications")
                .example("any news for me?", json!({}))
                .example("show my notifications", json!({})),
        ),
        mark_read(),
        qr(),
    ]
}

pub(super) fn admin() -> Vec<ToolDef> {
    let decide = |verb: &str| {
        object(
            json!({
                "pass_number": number(),
                "name": {"type": "string", "description": format!("Name of the {verb} admin.")},
            }),
            &["pass_number", "name"],
        )
    };
    vec![
        tool(
            "list_pending_gate_passes",
            object(json!({}), &[]),
            ToolSpec::read("List all gate passes that are pending approval.")
                .title("Passes waiting for approval")
                .example("what do I have to approve?", json!({}))
                .example("pending passes", json!({})),
        ),
        tool(
            "get_gate_pass_by_number",
            object(json!({"pass_number": number()}), &["pass_number"]),
            ToolSpec::read("Get detailed information about a gate pass using its pass number.")
                .title("Details of a pass")
                .example(
                    "show me GP-2026-0001",
                    json!({"pass_number": "GP-2026-0001"}),
                )
                .example(
                    "what is the status of GP-2026-0002?",
                    json!({"pass_number": "GP-2026-0002"}),
                ),
        ),
        tool(
            "approve_gate_pass",
            decide("approving"),
            ToolSpec::at_most_once(
                "Approve a pending gate pass. Requires the pass number and admin name.",
            )
            .title("Approve a gate pass")
            .target("pass_number")
            .example(
                "approve GP-2026-0001, I am Omar",
                json!({"pass_number": "GP-2026-0001", "name": "Omar"}),
            ),
        ),
        tool(
            "reject_gate_pass",
            decide("rejecting"),
            ToolSpec::at_most_once(
                "Reject a pending gate pass. Requires the pass number and admin name.",
            )
            .title("Reject a gate pass")
            .target("pass_number")
            .example(
                "reject GP-2026-0001 as Omar",
                json!({"pass_number": "GP-2026-0001", "name": "Omar"}),
            ),
        ),
        tool(
            "delete_gate_pass",
            decide("deleting"),
            ToolSpec::at_most_once("Delete a gate pass. Requires the pass number and admin name.")
                .title("Delete a gate pass")
                .target("pass_number")
                .example(
                    "delete GP-2026-0001, Omar",
                    json!({"pass_number": "GP-2026-0001", "name": "Omar"}),
                ),
        ),
        tool(
            "list_all_gate_passes_admin",
            object(json!({"status": status()}), &[]),
            ToolSpec::read("List all gate passes with optional status filtering.")
                .title("List gate passes")
                .example("show all passes", json!({}))
                .example("rejected passes", json!({"status": "rejected"})),
        ),
        tool(
            "print_gate_pass_admin",
            object(json!({"pass_number": number()}), &["pass_number"]),
            ToolSpec::read("Generate a printable version of a gate pass.")
                .title("Print a pass")
                .example("print GP-2026-0001", json!({"pass_number": "GP-2026-0001"})),
        ),
        tool(
            "get_admin_notifications",
            object(json!({}), &[]),
            ToolSpec::read("Retrieve notifications for admin users.")
                .title("My notifications")
                .example("show my notifications", json!({})),
        ),
        mark_read(),
        qr(),
    ]
}

pub(super) fn gate() -> Vec<ToolDef> {
    let scan = |direction: &str| {
        object(
            json!({
                "pass_number": number(),
                "photo": {"type": "string", "x-handle": "file", "description": format!("Photo of the person {direction}.")},
            }),
            &["pass_number", "photo"],
        )
    };
    vec![
        tool(
            "scan_exit",
            scan("exiting"),
            ToolSpec::at_most_once("Record a person's exit from the facility. Requires the gate pass number and a photo of the person.")
                .title("Record an exit")
                .target("pass_number")
                .example("GP-2026-0001 is leaving, photo attached", json!({"pass_number": "GP-2026-0001", "photo": "file:1"})),
        ),
        tool(
            "scan_return",
            scan("returning"),
            ToolSpec::at_most_once("Record a person's return to the facility. Requires the gate pass number and a photo of the person.")
                .title("Record a return")
                .target("pass_number")
                .example("GP-2026-0001 is back, photo attached", json!({"pass_number": "GP-2026-0001", "photo": "file:1"})),
        ),
        tool(
            "get_gate_pass_by_number_gate",
            object(json!({"pass_number": number()}), &["pass_number"]),
            ToolSpec::read("Get gate pass details using the pass number.")
                .title("Details of a pass by number")
                .example("check GP-2026-0001", json!({"pass_number": "GP-2026-0001"})),
        ),
        tool(
            "get_gate_pass_by_id_gate",
            object(json!({"pass_id": {"type": "string", "format": "uuid", "description": "The gate pass ID."}}), &["pass_id"]),
            ToolSpec::read("Get gate pass details using the pass ID.").title("Details of a pass by ID"),
        ),
        tool(
            "get_gate_pass_photos",
            object(json!({"pass_number": number()}), &["pass_number"]),
            ToolSpec::read("Retrieve photos associated with a gate pass.")
                .title("Photos of a pass")
                .example("show the photos of GP-2026-0001", json!({"pass_number": "GP-2026-0001"})),
        ),
        qr(),
    ]
}

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
