//! Manifests as authors write them, good and bad: each mistake is one sentence with its place.

use std::fs;
use std::path::Path;

use chrono::{DateTime, Utc};
use frontdesk_core::phase::Phase;
use frontdesk_core::search::Nowhere;
use frontdesk_core::tool::{ApprovalRule, Effect, Need};
use futures_util::future::BoxFuture;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

use super::*;
use crate::TokenSources;
use crate::openapi::{Document, Request, Selection, propose};

struct Clock;

impl frontdesk_core::env::Env for Clock {
    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
        Box::pin(async {})
    }

    fn id(&self) -> Uuid {
        Uuid::nil()
    }
}

fn set_up() -> SetUp {
    SetUp {
        env: Arc::new(Clock),
        tokens: TokenSources {
            mint: Arc::new(|_, _| Ok(String::new())),
            person: Arc::new(|_| None),
        },
        search: Arc::new(Nowhere),
        inherited: std::collections::BTreeMap::new(),
        variables: Arc::new(|name| match name {
            "DESK_URL" => Some("https://desk.example/api".to_owned()),
            "DESK_KEY" => Some("secret-key".to_owned()),
            "DESK_TOKEN" => Some("secret-token".to_owned()),
            _ => None,
        }),
        model: None,
    }
}

const HEAD: &str = "title = \"Desk\"\n\n[source.desk]\nbase_url = \"${DESK_URL}\"\n";

/// Loads a manifest with these files.
fn loaded(manifest: &str, files: &[(&str, &str)]) -> Result<ManifestAssistant, ManifestError> {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("desk");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("assistant.toml"), manifest).unwrap();
    for (name, text) in files {
        fs::write(path.join(name), text).unwrap();
    }
    load(&ManifestFolder::read(&path)?, &set_up())
}

/// The message about a manifest with this rest, from the line on.
fn told(rest: &str) -> String {
    let error = match loaded(&format!("{HEAD}{rest}"), &[]) {
        Ok(_) => panic!("{rest} is accepted"),
        Err(error) => error.to_string(),
    };
    error.split("assistant.toml").nth(1).unwrap().to_owned()
}

#[test]
fn the_example_becomes_an_assistant() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/helpdesk");
    let folder = ManifestFolder::read(&path).unwrap();
    let made = load(&folder, &set_up()).unwrap();
    assert_eq!(made.warnings, []);
    let assistant = &made.assistant;
    assert_eq!(
        (&*assistant.name, &*assistant.title),
        ("helpdesk", "Helpdesk")
    );
    let def = |name: &str| assistant.toolbox.get(name).unwrap();
    let close = def("close_ticket");
    assert_eq!(close.spec.effect, Effect::Idempotent);
    assert_eq!(
        close.spec.approval,
        ApprovalRule::Always {
            approvers: Vec::new()
        }
    );
    assert_eq!(
        close.spec.preview.as_ref().unwrap().reads[0].argument,
        "ticket_id"
    );
    let delete = def("delete_ticket");
    assert!(delete.spec.destructive && delete.spec.approval == close.spec.approval);
    // The model has no parameter that the server fills in.
    let mine = &def("my_tickets").parameters;
    assert_eq!(mine["properties"], serde_json::json!({}));
    assert_eq!(made.manifest.never.len(), 3);
    assert_eq!(made.people[1].email, "rolf@example.com");
    assert!(assistant.instructions.starts_with("You help people"));
    assert_eq!(assistant.context.len(), 2);
}

/// The manifest of docs/assistant-over-your-api.md.
#[test]
fn the_manifest_of_the_documentation_is_valid() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/assistant-over-your-api.md");
    let page = fs::read_to_string(page).unwrap();
    let manifest = page
        .split("```toml\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let made = loaded(manifest, &[]).unwrap();
    assert_eq!(made.assistant.toolbox.defs().count(), 3);
    assert_eq!(made.warnings, []);
}

#[test]
fn phases_are_entered_by_tools_that_need_what_the_phase_needs() {
    let made = loaded(
        &format!(
            "{}\n{}",
            HEAD.replace(
                "\n\n",
                "\n[[phases]]\nname = \"triage\"\ninstructions = \"Find out.\"\n[[phases]]\nname = \"work\"\nwhen = \"the problem is known\"\nneeds = [\"look\"]\n\n"
            ),
            "[tool.look]\nrequest = \"GET /look\"\ndescription = \"Looks.\"\n[tool.act]\nrequest = \"POST /act\"\ndescription = \"Acts.\"\nphases = [\"work\"]\nmoves_to = \"triage\"\n"
        ),
        &[],
    )
    .unwrap();
    let assistant = &made.assistant;
    assert_eq!(assistant.first_phase(), Phase::named("triage"));
    let enter = assistant.toolbox.get("enter_work").unwrap();
    assert_eq!(enter.spec.phases, [Phase::named("triage")]);
    assert_eq!(enter.spec.needs, [Need::Tool("look".into())]);
    assert_eq!(
        assistant.toolbox.get("act").unwrap().spec.effect,
        Effect::AtMostOnce
    );
}

const LOOK: &str = "[tool.look]\nrequest = \"GET /look\"\ndescription = \"Looks.\"\n";

/// The rest of a manifest, and the message about it.
const MISTAKES: &[(&str, &str)] = &[
    (
        "[tool.look]\nrequest = \"GET /look\"\ndescripton = \"Looks.\"\n",
        ", line 7, `tool.look.descripton`: unknown key `descripton`; did you mean `description`?",
    ),
    (
        "[tool.look]\nrequest = \"GET /look\"\n",
        ", line 5, `tool.look`: missing field `description`",
    ),
    (
        "[tool.look]\nrequest = \"LOOK /look\"\ndescription = \"Looks.\"\n",
        ", line 6, `tool.look.request`: \"LOOK /look\" is not a request; write a method and a path, e.g. \"GET /tickets/{ticket_id}\"",
    ),
    (
        "[tool.look]\nrequest = \"GET /look\"\ndescription = \"Looks.\"\nsource = \"dask\"\n",
        ", line 8, `tool.look.source`: there is no source `dask`; did you mean `desk`?",
    ),
    (
        "[tool.look]\nrequest = \"GET /look\"\ndescription = \"Looks.\"\neffect = \"reed\"\n",
        ", line 8, `tool.look.effect`: unknown value `reed`; did you mean `read`?",
    ),
    (
        "[tool.look]\nrequest = \"GET /look\"\ndescription = \"Looks.\"\nsummary = \"{count tickets of {name}.\"\n",
        ", line 8, `tool.look.summary`: has `{count` without `}`",
    ),
    (
        "[tool.look]\nrequest = \"GET /look\"\ndescription = \"Looks.\"\ncard_title = \"Close {ticket\"\n",
        ", line 8, `tool.look.card_title`: has `{ticket` without `}`",
    ),
    (
        "[tool.drop]\nrequest = \"DELETE /it/{id}\"\ndescription = \"Drops.\"\ntarget = \"id\"\nparameters.id = { value = 1 }\n",
        ", line 8, `tool.drop.target`: `id` is filled in; a target is given by the person",
    ),
    (
        "[[people]]\nname = \" \"\ndisplay_name = \"A\"\nemail = \"a@example.com\"\n",
        ", line 6, `people[0].name`: must not be empty",
    ),
    (
        "[tool.look]\nrequest = \"GET /look/{id}\"\ndescription = \"Looks.\"\n",
        ", line 6, `tool.look.request`: the path has {id}, but there is no parameter `id`",
    ),
    (
        "[tool.look]\nrequest = \"GET /look\"\ndescription = \"Looks.\"\n[tool.look.parameters.at]\nschema = { pattern = \"[\" }\n",
        ", line 5, `tool.look`: the parameters of look are not a JSON Schema of an object: ",
    ),
    (
        "[tool.look]\nrequest = \"GET /look\"\ndescription = \"Looks.\"\n[tool.look]\n",
        ", line 8: `look` is there twice",
    ),
    (
        "[tool.look]\nrequest = \"GET /look\"\ndescription = \"Looks.\"\nneeds = [\"see\"]\n[tool.see]\nrequest = \"GET /see\"\ndescription = \"Sees.\"\nneeds = [\"look\"]\n",
        ", line 5, `tool.look`: these tools need each other in a cycle: look → see → look",
    ),
    (
        "[tool.look]\nrequest = \"GET /look\"\ndescription = \"Looks.\"\nneeds = [\"se\"]\n",
        ", line 8, `tool.look.needs`: there is no tool `se`; there are look",
    ),
    (
        "[tool.look]\nrequest = \"GET /look\"\ndescription = \"Looks.\"\nphases = [\"work\"]\n",
        ", line 8, `tool.look.phases`: there is no phase `work`; there are none",
    ),
    (
        "[tool.look]\nrequest = \"GET /look\"\ndescription = \"Looks.\"\nroles = [\"A,B\"]\n",
        ", line 8, `tool.look.roles`: \"A,B\" cannot be a role: no `,`, `:` or `*`, 1 to 64 characters",
    ),
    (
        "[tool.drop]\nrequest = \"DELETE /it\"\ndescription = \"Drops.\"\neffect = \"read\"\n",
        ", line 8, `tool.drop.effect`: a DELETE changes something; use \"at_most_once\" or \"idempotent\"",
    ),
    (
        "[tool.drop]\nrequest = \"DELETE /it\"\ndescription = \"Drops.\"\nconsent = \"unless_ordered\"\napprovers = [\"Lead\"]\n",
        ", line 8, `tool.drop.consent`: with `approvers`, every call waits; use \"always\", or leave it out",
    ),
    (
        "[[context]]\ntitle = \"Now\"\nrequest = \"POST /now\"\n",
        ", line 7, `context[0].request`: facts are loaded before each turn, so only a GET is possible",
    ),
    (
        "timeout = \"3h\"\n",
        ", line 5, `source.desk.timeout`: \"3h\" is not a timeout; use a duration up to two minutes, e.g. \"30s\"",
    ),
    (
        "auth = { kind = \"bearer\", token = \"${NO_TOKEN}\" }\n",
        ", line 5, `source.desk.auth.token`: needs NO_TOKEN; set it in the environment, or below [variables] in frontdesk.toml",
    ),
    (
        "[tool.look]\nmcp_tool = \"look\"\ndescription = \"Looks.\"\n",
        ", line 5, `tool.look`: needs a `request`, e.g. \"GET /tickets/{ticket_id}\"",
    ),
    (
        "[source.files]\nmcp = { command = [\"x\"], url = \"https://x\" }\n",
        ", line 5, `source.files`: `mcp` has both `command` and `url`; keep one",
    ),
    (
        "[source.files]\nmcp = { comand = [\"x\"] }\n",
        ", line 6, `source.files.mcp.comand`: unknown key `comand`; did you mean `command`?",
    ),
    ("basé_url = \"x\"\n", ", line 5: invalid unquoted key"),
];

#[test]
fn a_mistake_is_one_sentence_with_line_key_and_nearest_name() {
    for (rest, expected) in MISTAKES {
        let problem = told(rest);
        assert!(
            problem.starts_with(expected),
            "{problem}\nexpected {expected}"
        );
        assert!(
            !problem.contains('\n') && !problem.contains("secret-token"),
            "{problem}"
        );
    }
}

#[test]
fn a_rule_that_does_not_hold_prevents_the_use_and_shows_a_call() {
    let manifest = format!(
        "never = [\"Guest: drop\"]\n{HEAD}{LOOK}[tool.drop]\nrequest = \"DELETE /it\"\ndescription = \"Drops.\"\n"
    );
    let error = loaded(&manifest, &[]).err().unwrap();
    assert_eq!((error.line, error.key.as_str()), (Some(1), "never[0]"));
    assert_eq!(
        error.problem,
        "\"Guest: drop\" does not hold: a person with the role Guest can call drop; a card asks first"
    );
    let kept = manifest.replace("\"Drops.\"\n", "\"Drops.\"\nroles = [\"Agent\"]\n");
    assert_eq!(
        loaded(&kept, &[]).unwrap().manifest.never[0].to_string(),
        "Guest: drop"
    );
}

/// Nothing is started before the first call, and nothing but the manifest defines a tool.
#[test]
fn a_tool_of_an_mcp_server_is_what_the_manifest_says() {
    let made = loaded(
        "title = \"Files\"\n[source.files]\nmcp = { command = [\"/nowhere\"] }\n[tool.read_it]\nmcp_tool = \"read_file\"\ndescription = \"Reads a file.\"\neffect = \"read\"\nparameters.path = { required = true }\nparameters.who = { bind = \"person.id\" }\n[tool.write_it]\nmcp_tool = \"write_file\"\ndescription = \"Writes a file.\"\n",
        &[],
    )
    .unwrap();
    let def = |name: &str| made.assistant.toolbox.get(name).unwrap();
    assert_eq!(
        def("read_it").parameters["required"],
        serde_json::json!(["path"])
    );
    assert!(def("read_it").parameters["properties"].get("who").is_none());
    assert_eq!(def("write_it").spec.effect, Effect::AtMostOnce);
}

#[test]
fn doubts_are_warnings() {
    let manifest = format!(
        "roles = [\"Agent\"]\nnever = [\"Agent: remove_*\"]\n{HEAD}[source.other]\nbase_url = \"https://other.example\"\n[tool.look]\nsource = \"desk\"\nrequest = \"GET /look\"\ndescription = \"Looks.\"\nroles = [\"Agent\"]\n[tool.see]\nsource = \"desk\"\nrequest = \"GET /see\"\ndescription = \"Sees.\"\nroles = [\"Agnet\"]\n"
    );
    let made = loaded(
        &manifest,
        &[("phrasings.txt", "[look]\nlook\n[lok]\nlok\n")],
    )
    .unwrap();
    let warnings: Vec<(Option<usize>, &str)> = made
        .warnings
        .iter()
        .map(|warning| (warning.line, warning.problem.as_str()))
        .collect();
    assert_eq!(
        warnings,
        [
            (Some(7), "no tool uses this source"),
            (Some(2), "no tool has such a name"),
            (
                Some(18),
                "the role `Agnet` is nearly `Agent`; is it the same?"
            ),
            (Some(3), "there is no tool `lok`; did you mean `look`?"),
        ]
    );
}

#[test]
fn a_folder_is_named_like_an_assistant() {
    let root = tempfile::tempdir().unwrap();
    assert_eq!(
        folders(&root.path().join("absent")).unwrap(),
        Vec::<std::path::PathBuf>::new()
    );
    for (name, good) in [
        ("desk", true),
        ("desk-2", true),
        ("Desk", false),
        ("a b", false),
    ] {
        let path = root.path().join(name);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("assistant.toml"), "").unwrap();
        assert_eq!(ManifestFolder::read(&path).is_ok(), good, "{name}");
    }
    assert_eq!(folders(root.path()).unwrap().len(), 4);
}

/// Editors refuse what we refuse, as far as a schema can say it.
#[test]
fn the_schema_accepts_the_example_and_refuses_unknown_keys() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let text = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/helpdesk/assistant.toml"),
    )
    .unwrap();
    let mut example: serde_json::Value = toml::from_str(&text).unwrap();
    let problem = validator
        .iter_errors(&example)
        .next()
        .map(|error| error.to_string());
    assert_eq!(problem, None);
    example["tool"]["list_tickets"]["effekt"] = "read".into();
    assert!(!validator.is_valid(&example));
}

#[test]
fn a_proposal_from_a_document_is_a_manifest() {
    let document = Document::parse(include_str!("openapi/fixtures/desk.yaml")).unwrap();
    let request = Request {
        name: "desk",
        role: "Agent",
        origin: None,
        selection: Selection::All,
    };
    let proposal = propose(&document, &request).unwrap();
    let files = [
        ("instructions.md", proposal.instructions.as_str()),
        ("phrasings.txt", proposal.phrasings.as_str()),
    ];
    let made = loaded(&proposal.manifest, &files).unwrap();
    let names: Vec<&str> = made
        .assistant
        .toolbox
        .defs()
        .map(|def| def.name.as_ref())
        .collect();
    let proposed: Vec<&str> = proposal
        .tools
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    assert_eq!(names, proposed);
    assert!(made.warnings.is_empty(), "{:?}", made.warnings);
}
