//! The recruiter's standard flow in the terminal: with the built-in model and no key, and
//! through real function calling with a server that speaks the OpenAI protocol.

use frontdesk_testkit::model_server::{ModelServer, call, calls, say};
use serde_json::{Value, json};

use crate::cli::{Done, Shell};

const NOTES: &str = include_str!("../../../../assistants/tata/demo/startup-notes.txt");
const SARA: &str = include_str!("../../../../assistants/tata/demo/transcript-sara-lind.txt");
const JONAS: &str = include_str!("../../../../assistants/tata/demo/transcript-jonas-ek.txt");

/// The tools that ran, each with how it went.
fn ran(done: &Done) -> Vec<(String, bool)> {
    assert_eq!(done.code, Some(0), "{done:?}");
    let response = done.json();
    let calls = response["tool_calls"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let of = |call: &Value| {
        let name = call["name"].as_str().unwrap_or_default();
        (name.to_owned(), call["ok"] == true)
    };
    calls.iter().map(of).collect()
}

fn ok(names: &[&str]) -> Vec<(String, bool)> {
    names
        .iter()
        .map(|name| ((*name).to_owned(), true))
        .collect()
}

/// A statement and the words that it rests on.
fn point(text: &str, source: &str) -> Value {
    json!({ "text": text, "based_on": { "quote": text, "source": source } })
}

/// A statement for candidates, or of a summary, with the words that it rests on.
fn statement(text: &str, quote: &str, source: &str) -> Value {
    json!({ "text": text, "based_on": [{ "quote": quote, "source": source }] })
}

/// Drafts as a model writes them inside a call, for the sample notes and transcript.
fn profile() -> Value {
    let noted = |text| point(text, "startup_notes");
    json!({
        "must_haves": [noted("Solid experience with fiber networks (DWDM, MPLS)"), noted("Scripting in Python"), noted("Fluent Swedish and English")],
        "good_to_haves": [], "responsibilities": [noted("Mentor two junior engineers")], "soft_skills": [],
        "team": [noted("8 people, based in Stockholm")], "conditions": [],
        "internal": [noted("The last recruitment took too long")], "hiring_manager": [noted("Anna Berg (hiring manager)")],
    })
}

fn job_ad() -> Value {
    let profiled = |text, quote| statement(text, quote, "requirement_profile");
    let intro = profiled("You mentor two engineers.", "Mentor two junior engineers");
    json!({ "headline": "Senior Network Engineer in Stockholm", "intro": [intro], "responsibilities": [],
        "must_haves": [profiled("Scripting in Python", "Scripting in Python")], "good_to_haves": [], "team": [], "offer": [],
        "process": [], "apply": [] })
}

fn guide(question: &str) -> Value {
    json!({ "introduction": [], "motivation": [], "skills": [{ "skill": 1, "questions": [question], "listen_for": [] }],
        "situations": [], "team": [], "additional": [], "practical": [], "tell": [], "closing": [] })
}

fn report() -> Value {
    let quote = "I have some experience with Python from small scripts.";
    json!({ "summary": [statement("Sara has some experience with Python.", quote, "transcript")],
        "skills": [{ "skill": 2, "said": [{ "quote": quote, "source": "transcript" }], "rating": 2, "reason": "Small scripts only." }],
        "motivation": [], "practical": [], "worries": [], "open_questions": [] })
}

/// One message of the recruiter, in the conversation that the first one began.
struct Project<'s> {
    shell: &'s Shell,
    environment: Vec<(&'s str, &'s str)>,
    conversation: Option<String>,
}

impl Project<'_> {
    fn say(&mut self, text: &str) -> Done {
        let mut arguments = vec!["chat", "tata", "--as", "recruiter", "--json", "-m", text];
        if let Some(id) = &self.conversation {
            arguments.extend(["--conversation", id.as_str()]);
        }
        let done = self.shell.run_with(&arguments, &self.environment);
        let id = done.json()["session_id"].as_str().map(str::to_owned);
        self.conversation = id;
        done
    }

    /// Types lines into the same conversation; cards are answered in it.
    fn type_in(&self, lines: &[&str]) -> Done {
        let id = self.conversation.as_deref().unwrap_or_default();
        let arguments = ["chat", "tata", "--as", "recruiter", "--conversation", id];
        let done = self
            .shell
            .type_in_with(&arguments, lines, &self.environment);
        assert_eq!(done.code, Some(0), "{done:?}");
        done
    }
}

/// Calls, the drafts inside them, and what is said after each.
fn script(server: &ModelServer) {
    server.script([
        call(
            "create_requirement_profile",
            json!({ "position_title": "Senior Network Engineer", "startup_notes": NOTES }),
        ),
        say(profile().to_string()),
        say("The profile is ready. Is it correct?"),
        call("confirm_requirement_profile", json!({})),
        say("Confirmed."),
        call("create_job_ad", json!({ "include_salary": true })),
        say(job_ad().to_string()),
        say("The ad is ready."),
        calls([
            ("create_ta_screening_template", json!({})),
            ("create_hm_screening_template", json!({})),
        ]),
        say(guide("Which networks did you build?").to_string()),
        say(guide("Draw the ring that you built last.").to_string()),
        say("Both are ready."),
        call(
            "create_candidate_report",
            json!({ "candidate_name": "Sara Lind", "interview_date": "2026-03-10", "transcript": "text:1" }),
        ),
        say(report().to_string()),
        say("The report is ready."),
    ]);
}

// design: 000 client key
#[tokio::test(flavor = "multi_thread")]
async fn the_standard_flow_through_real_function_calling() {
    let server = ModelServer::start().await;
    script(&server);
    let shell = Shell::new();
    let url = server.url();
    let told = tokio::task::spawn_blocking(move || {
        let mut runtime = Project {
            shell: &shell,
            environment: vec![("OPENAI_BASE_URL", &url), ("OPENAI_API_KEY", "sk-loopback")],
            conversation: None,
        };
        let first = runtime.say(&format!("Make the requirement profile.\n\n{NOTES}"));
        assert_eq!(
            ran(&first),
            ok(&["create_requirement_profile"]),
            "{first:?}"
        );
        let confirmed = runtime.type_in(&["Yes, it is correct.", "y", "/quit"]);
        assert!(confirmed.out.contains("Confirmed."), "{confirmed:?}");
        assert_eq!(ran(&runtime.say("Write the ad.")), ok(&["create_job_ad"]));
        let both = ok(&[
            "create_ta_screening_template",
            "create_hm_screening_template",
        ]);
        assert_eq!(ran(&runtime.say("Both screening templates.")), both);
        let report = runtime.say(&format!("A report on Sara Lind.\n\n{SARA}"));
        assert_eq!(ran(&report), ok(&["create_candidate_report"]));
        report.json()["content"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    });
    assert_eq!(told.await.unwrap(), "The report is ready.");

    let first = server.request(0);
    assert_eq!(first.path(), "/v1/chat/completions");
    assert_eq!(first.header("authorization"), Some("Bearer sk-loopback"));
    let body = first.json();
    assert_eq!(body["tool_choice"], "auto");
    assert_eq!(body["model"], "gpt-4o");
    assert_eq!(body["messages"][0]["role"], "system");
    let tools = body["tools"].as_array().unwrap();
    for tool in [
        "create_requirement_profile",
        "create_funnel_report",
        "create_calendar_invite",
    ] {
        let named = |t: &&Value| t["function"]["name"] == tool && t["type"] == "function";
        assert!(tools.iter().any(|t| named(&t)), "{tool}");
    }
    // A draft is a request without tools that asks for JSON.
    let draft = server.request(1).json();
    assert!(draft.get("tools").is_none() && draft["response_format"]["type"] == "json_schema");
    let asked = draft["messages"].to_string();
    assert!(asked.contains("Fluent Swedish and English") && asked.contains("Write in English"));
    let ad = server.request(6).json()["messages"].to_string();
    assert!(
        ad.contains("Scripting in Python") && !ad.contains("took too long"),
        "{ad}"
    );
    let second = server.request(2).json();
    let messages = second["messages"].as_array().unwrap();
    let last = messages.last().unwrap();
    assert_eq!(last["role"], "tool");
    assert_eq!(
        last["tool_call_id"],
        messages[messages.len() - 2]["tool_calls"][0]["id"]
    );
    server.finish();
}

/// As a newcomer has it: no key, no server, the sample notes.
#[test]
fn the_standard_flow_with_the_built_in_model() {
    let shell = Shell::new();
    let mut runtime = Project {
        shell: &shell,
        environment: Vec::new(),
        conversation: None,
    };
    let first = runtime.say(&format!(
        "Create a requirement profile for the position Senior Network Engineer from these start-up notes:\n\n{NOTES}"
    ));
    assert_eq!(
        ran(&first),
        ok(&["create_requirement_profile"]),
        "{first:?}"
    );
    let confirmed = runtime.type_in(&["yes, confirm the profile", "y", "/quit"]);
    assert!(confirmed.out.contains("confirmed"), "{confirmed:?}");
    for (said, tool) in [
        ("write the job ad with the salary", "create_job_ad"),
        (
            "create the screening template for the recruiter",
            "create_ta_screening_template",
        ),
        (
            "create the screening template for the hiring manager",
            "create_hm_screening_template",
        ),
        (
            "write outreach messages for LinkedIn",
            "create_headhunting_messages",
        ),
    ] {
        let done = runtime.say(said);
        assert_eq!(ran(&done), ok(&[tool]), "{said}: {done:?}");
    }
    for (name, date, transcript) in [
        ("Sara Lind", "2026-03-10", SARA),
        ("Jonas Ek", "2026-03-11", JONAS),
    ] {
        let done = runtime.say(&format!(
            "Create a candidate report for {name}, interviewed on {date}. The transcript:\n\n{transcript}"
        ));
        assert_eq!(
            ran(&done),
            ok(&["create_candidate_report"]),
            "{name}: {done:?}"
        );
    }
    let compared = runtime.say("compare the candidates");
    assert_eq!(ran(&compared), ok(&["compare_candidates"]), "{compared:?}");
    let funnel = runtime.say(
        "Create a funnel report, job title: Senior Network Engineer, 1 position, hiring manager: Anna Berg, 1200 views, 180 apply clicks, 60 applications received",
    );
    assert_eq!(ran(&funnel), ok(&["create_funnel_report"]), "{funnel:?}");
}
