//! Drafts as a good model would write them for the texts of the trial.

use serde_json::{Value, json};

pub(super) const NOTES: &str = include_str!("texts/payroll-notes.txt");
pub(super) const TRANSCRIPT: &str = include_str!("texts/transcript-anna.txt");
pub(super) const AD: &str = include_str!("texts/ad-to-review.txt");

pub(super) fn point(text: &str, quote: &str, source: &str) -> Value {
    json!({ "text": text, "based_on": { "quote": quote, "source": source } })
}

fn noted(text: &str, quote: &str) -> Value {
    point(text, quote, "startup_notes")
}

/// A statement for candidates.
pub(super) fn statement(text: &str, quote: &str) -> Value {
    json!({ "text": text, "based_on": [{ "quote": quote, "source": "requirement_profile" }] })
}

/// A line that claims nothing.
fn line(text: &str) -> Value {
    json!({ "text": text, "based_on": [] })
}

fn with_topic(topic: &str, mut point: Value) -> Value {
    point["topic"] = json!(topic);
    point
}

pub(super) fn profile() -> Value {
    json!({
        "must_haves": [
            noted("Has run Swedish payroll alone for at least 3 years", "has run Swedish payroll on their own for min 3 yrs"),
            noted("Knows collective agreements (Teknikavtalet, Unionen)", "knows kollektivavtal (we have Teknikavtalet + Unionen)"),
            noted("Speaks Swedish well enough to take calls from managers", "speaks Swedish well enough to take calls from managers"),
            noted("Excel, at least pivot tables", "Excel – pivot tables at least"),
        ],
        "good_to_haves": [noted("Danish payroll", "Danish payroll knowledge = super but can be learned")],
        "responsibilities": [noted("Run monthly payroll for Sweden in Hogia", "run monthly payroll for Sweden end to end (Hogia)")],
        "soft_skills": [],
        "team": [noted("5 people in HR Ops", "5 in HR Ops, 3 Malmö 2 Copenhagen")],
        "conditions": [
            with_topic("pay", noted("42-46k SEK a month", "Pay 42-46k SEK/mth")),
            with_topic("home_office", noted("2 days, not during payroll week", "2 days home office ok but NOT during payroll week")),
        ],
        "internal": [
            noted("Friction with finance", "there's been some friction"),
            noted("The last one left after 7 months", "last one left after 7 months as the job was sold as \"strategic\""),
        ],
        "hiring_manager": [noted("Helen Strand, Head of HR Ops", "Helen Strand (Head of HR Ops, hiring mgr)")],
    })
}

pub(super) fn job_ad() -> Value {
    json!({
        "headline": "Payroll Specialist in Malmö", "intro": [statement("You run the payroll from start to finish.", "Run monthly payroll for Sweden in Hogia")],
        "responsibilities": [statement("You run monthly payroll for Sweden", "Run monthly payroll for Sweden in Hogia")],
        "must_haves": [statement("Payroll on your own for 3 years", "Has run Swedish payroll alone for at least 3 years")],
        "good_to_haves": [], "team": [statement("A team of 5", "5 people in HR Ops")],
        "offer": [statement("2 days of home office", "2 days, not during payroll week")], "process": [], "apply": [],
    })
}

pub(super) fn guide() -> Value {
    json!({
        "introduction": [], "motivation": ["Why this role?"],
        "skills": [{ "skill": 1, "questions": ["Which payrolls did you run alone?"], "listen_for": ["own part"] },
                   { "skill": 4, "questions": ["Show a pivot table that you built."], "listen_for": [] }],
        "situations": [{ "question": "What do you do when the bank file is late?", "good_answer": "Calls the bank first" }],
        "team": [], "additional": [], "practical": ["Can you be on site in payroll week?"],
        "tell": [statement("No home office in payroll week", "2 days, not during payroll week")], "closing": ["What do you want to know?"],
    })
}

pub(super) fn messages() -> Value {
    let offer = statement(
        "The role runs payroll.",
        "Run monthly payroll for Sweden in Hogia",
    );
    json!({ "short_direct": [line("Hi [First Name],"), line("I saw your profile.")], "value_proposition": [offer],
        "call_to_action": [line("Can we talk?")] })
}

pub(super) fn report() -> Value {
    let said = |quote: &str| json!([{ "quote": quote, "source": "transcript" }]);
    json!({
        "summary": [{ "text": "Anna runs payroll for about 900 people.", "based_on": said("It's about 900 people") }],
        "skills": [
            { "skill": 1, "said": said("From the time reports until the AGI goes to Skatteverket, that's me."), "rating": 5, "reason": "Runs it alone, with results." },
            { "skill": 2, "said": said("Teknikavtalet I had at Azets with two of the clients."), "rating": 4, "reason": "Named both agreements." },
            { "skill": 3, "said": said("Ja, det är ju mitt modersmål, så det går bra!"), "rating": 5, "reason": "Swedish is her first language." },
            { "skill": 4, "said": said("it's pivot tables on the ledger export and Power Query"), "rating": 5, "reason": "Built the reconciliation." },
        ],
        "motivation": [point("Likes the routine", "I like the routine", "transcript")],
        "practical": [with_topic("notice", point("Two months", "they'd let me go after two", "transcript")),
                      with_topic("pay", point("46", "I'm on 43 today, so 46 I'd say.", "transcript"))],
        "worries": [point("Leaves at three on Thursdays", "I'd need to leave at three on Thursdays", "transcript")],
        "open_questions": ["Danish payroll"],
    })
}

pub(super) fn review() -> Value {
    let finding = |category: &str, quote: &str, rewrite: &str| {
        json!({ "category": category, "words": { "quote": quote, "source": "job_ad" },
            "why": "Excludes people without need.", "rewrite": rewrite })
    };
    json!({ "strengths": [], "missing": ["Pay"], "findings": [
        finding("origin", "Swedish native", "fluent Swedish"), finding("health", "Send photo", ""),
        finding("age", "max 5 years' experience", "experience with payroll") ] })
}

pub(super) fn invite() -> Value {
    json!({ "subject": "Case interview: Payroll Specialist", "message": [line("Hi [First Name],"), line("Can we meet?")],
        "closing": [statement("Tell us if you need adjustments.", "We offer adjustments")] })
}
