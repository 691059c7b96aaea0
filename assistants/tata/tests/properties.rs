//! The design's eleven correctness properties, at least a hundred cases each.

use frontdesk_core::message::{Message, ToolCall};
use frontdesk_core::phase::Phase;
use frontdesk_core::transcript::{Line, LineKind, Transcript};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::kit::{CallOutcome, Kit, Project, kit};
use crate::module::{MODULES, Module};

/// At least a hundred of each.
fn cases() -> ProptestConfig {
    ProptestConfig::with_cases(128)
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("\\PC{0,8}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn any_object() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map("\\PC{0,10}", any_json(), 0..5)
        .prop_map(|map| map.into_iter().collect())
}

fn any_call() -> impl Strategy<Value = ToolCall> {
    ("[a-z0-9_]{1,12}", "[a-z_]{1,20}", any_object()).prop_map(|(id, name, arguments)| ToolCall {
        id,
        name,
        arguments: Value::Object(arguments).to_string(),
    })
}

/// Every role, with and without calls, any Unicode.
fn any_message() -> impl Strategy<Value = Message> {
    let text = || any::<String>();
    prop_oneof![
        text().prop_map(Message::system),
        text().prop_map(Message::user),
        text().prop_map(Message::assistant),
        (
            prop::option::of(text()),
            prop::collection::vec(any_call(), 1..4)
        )
            .prop_map(|(content, calls)| Message::calls(content, calls)),
        ("[a-z0-9_]{1,12}", prop::option::of("[a-z_]{1,20}"), text()).prop_map(
            |(tool_call_id, name, content)| Message::Tool {
                tool_call_id,
                name,
                content
            }
        ),
    ]
}

/// A history of whole turns, as the engine writes one.
fn any_history() -> impl Strategy<Value = Vec<Line>> {
    let turn = (
        any::<String>(),
        prop::option::of(any_call()),
        any::<String>(),
    )
        .prop_map(|(said, call, answer)| {
            let mut lines = vec![Line::new(LineKind::User, &Message::user(said))];
            if let Some(call) = call {
                let result = Message::Tool {
                    tool_call_id: call.id.clone(),
                    name: Some(call.name.clone()),
                    content: "{}".to_owned(),
                };
                lines.push(Line::new(
                    LineKind::Calls,
                    &Message::calls(None, vec![call]),
                ));
                lines.push(Line::new(LineKind::Result, &result));
            }
            lines.push(Line::new(LineKind::Answer, &Message::assistant(answer)));
            lines
        });
    prop::collection::vec(turn, 1..40).prop_map(|turns| turns.concat())
}

fn transcript(lines: &[Line]) -> Transcript {
    let mut transcript = Transcript::default();
    lines.iter().for_each(|line| transcript.push(line));
    transcript
}

/// Notes in any form: the design's sentence, lists, prose, any text that says something.
fn notes() -> impl Strategy<Value = String> {
    let list = prop::collection::vec("[A-Z][a-z]{3,10}( [a-z]{2,8}){0,3}", 1..9);
    prop_oneof![
        Just("I need to hire a senior Python developer for our backend team. Must have 5+ years Python, Django experience, and AWS knowledge.".to_owned()),
        list.prop_map(|list| format!("Must have:\n- {}\n", list.join("\n- "))),
        "[A-Za-zåäöß ,.:;!?()0-9\n-]{1,400}[a-z]",
        "[a-z]\\PC{0,200}",
    ]
}

/// Arguments with which a module that stands alone succeeds.
fn standalone() -> impl Strategy<Value = (Module, Value)> {
    let title = || "[A-ZÅÄÖ][a-zåäöæøß]{2,12}( [A-Z][a-z]{2,8})?";
    let language = || prop::sample::select(&["en", "sv", "da", "no", "de"][..]);
    prop_oneof![
        (title(), language(), notes()).prop_map(|(title, language, notes)| {
            let input = json!({ "position_title": title, "startup_notes": notes, "language": language });
            (Module::RequirementProfile, input)
        }),
        (title(), 1..50i64, 0..5_000i64, 0..5_000i64, language()).prop_map(
            |(title, positions, views, clicks, language)| {
                let input = json!({ "job_title": title, "number_of_positions": positions, "hiring_manager_name": "Anna Berg",
                    "job_ad_views": views, "apply_clicks": clicks, "language": language });
                (Module::FunnelReport, input)
            }
        ),
        ("[A-Za-z][\\PC\n]{0,300}", language()).prop_map(|(text, language)| {
            (Module::JobAdReview, json!({ "job_ad_text": text, "language": language }))
        }),
        ("[A-Za-z][\\PC\n]{0,300}", language()).prop_map(|(text, language)| {
            (Module::DiReview, json!({ "job_ad_text": text, "language": language }))
        }),
        (title(), 1..400i64, language()).prop_map(|(title, duration, language)| {
            let input = json!({ "position_name": title, "hiring_manager_name": "Anna Berg", "hiring_manager_title": "Head",
                "location_type": "teams", "interview_type": "case", "duration": duration, "booking_method": "jobylon",
                "language": language });
            (Module::CalendarInvite, input)
        }),
    ]
}

fn dependents() -> impl Strategy<Value = Module> {
    let with_needs: Vec<Module> = MODULES
        .iter()
        .map(|row| row.module)
        .filter(|m| !m.facts().needs.is_empty())
        .collect();
    prop::sample::select(with_needs)
}

/// A project that has some of what there is to need.
fn with<'k>(kit: &'k Kit, documents: &[Module]) -> Project<'k> {
    let mut project = kit.project();
    if documents.contains(&Module::RequirementProfile) {
        project.confirmed();
        if documents.contains(&Module::TaScreening) {
            project.done("create_ta_screening_template", json!({}));
        }
    }
    project
}

/// Property 1: Tool Registry Schema Validity.
// design: 000 ToolDefinition.description, ToolDefinition.parameters
// design: 000 ToolDefinition.to_openai_format, ToolRegistry.get_all_tools, property 1
// design: 000 property tests, unit ToolRegistry
#[test]
fn every_tool_is_a_valid_function_definition() {
    let kit = kit();
    proptest!(cases(), |(index in any::<prop::sample::Index>())| {
        let tools: Vec<_> = kit.assistant.toolbox.defs().collect();
        let offered = index.get(&tools).to_openai_format();
        prop_assert_eq!(&offered["type"], "function");
        let function = &offered["function"];
        prop_assert!(!function["name"].as_str().unwrap().is_empty());
        prop_assert!(!function["description"].as_str().unwrap().is_empty());
        prop_assert_eq!(&function["parameters"]["type"], "object");
        let properties = function["parameters"]["properties"].as_object().unwrap();
        for (name, property) in properties {
            prop_assert!(property["description"].is_string(), "{} of {}", name, function["name"]);
        }
        let text = offered.to_string();
        prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), offered);
        prop_assert!(!text.contains("x-handle") && !text.contains("$ref"));
    });
}

/// Property 2: Tool Registry Dependency Documentation.
// design: 000 property 2
#[test]
fn descriptions_name_what_must_come_first() {
    let kit = kit();
    proptest!(cases(), |(module in dependents())| {
        let def = kit.assistant.toolbox.get(module.facts().tool).unwrap();
        let description = &def.spec.description;
        prop_assert!(description.contains("requires") || description.contains("depends"));
        for need in module.facts().needs {
            prop_assert!(description.contains(need.facts().words), "{:?}: {}", need, description);
        }
    });
}

/// Property 3: Message Serialization Round-Trip.
// design: 000 Message.from_openai_format, property 3, property test round trip
#[test]
fn a_message_survives_its_wire_form() {
    proptest!(cases(), |(message in any_message())| {
        let wire = message.to_openai_format();
        prop_assert_eq!(Message::from_openai_format(&wire).unwrap(), message);
    });
}

/// Property 4: Conversation Message Persistence.
// design: 000 ConversationManager.get_messages, ConversationManager.add_assistant_tool_calls
// design: 000 ConversationManager.add_tool_result, property 4
#[test]
fn messages_come_back_in_order() {
    proptest!(cases(), |(messages in prop::collection::vec(any_message(), 0..30))| {
        let kind = |message: &Message| match message {
            Message::System { .. } => LineKind::Context,
            Message::User { .. } => LineKind::User,
            Message::Assistant { tool_calls, .. } if tool_calls.is_empty() => LineKind::Answer,
            Message::Assistant { .. } => LineKind::Calls,
            Message::Tool { .. } => LineKind::Result,
        };
        let lines: Vec<Line> = messages.iter().map(|m| Line::new(kind(m), m)).collect();
        prop_assert_eq!(transcript(&lines).messages(), messages);
    });
}

/// Property 5: Conversation Truncation Preserves System Prompt. The prompt is put before whatever is left of the
/// history, and no call is left without its result.
// design: 000 InMemoryConversationManager
#[test]
fn a_cut_history_still_begins_with_the_system_prompt() {
    let kit = kit();
    proptest!(cases(), |(lines in any_history())| {
        let assistant = &kit.assistant;
        let window = assistant.limits.window;
        prop_assert_eq!(window.max_messages, 50);
        let mut history = transcript(&lines);
        history.skip(history.surplus(window));
        prop_assert!(history.len() <= window.max_messages);
        let system = assistant.system_message(&Phase::DEFAULT);
        let mut told = vec![Message::from_openai_format(&serde_json::from_slice(&system).unwrap()).unwrap()];
        told.extend(history.messages());
        let first_is_system = matches!(&told[0], Message::System { content } if content.contains("Tata"));
        prop_assert!(first_is_system);
        for (i, message) in told.iter().enumerate() {
            if let Message::Tool { tool_call_id, .. } = message {
                let asked = matches!(&told[i - 1], Message::Assistant { tool_calls, .. } if tool_calls[0].id == *tool_call_id);
                prop_assert!(asked, "a result without its call");
            }
        }
    });
}

/// Property 6: Tool Call Argument Parsing.
// design: 000 ToolCall.parse_arguments, property 6
#[test]
fn arguments_are_what_the_json_says() {
    proptest!(cases(), |(arguments in any_object())| {
        let call = ToolCall { id: "c".into(), name: "n".into(), arguments: Value::Object(arguments.clone()).to_string() };
        prop_assert_eq!(call.parse_arguments().unwrap(), arguments);
    });
}

/// Property 7: Unknown Tool Rejection.
// design: 000 ToolRegistry.get_tool, execute 1, property 7, ToolNotFoundError, unit ToolRegistry
#[test]
fn an_unknown_tool_is_refused_by_name() {
    let kit = kit();
    proptest!(cases(), |(name in "[a-zA-Z_][a-zA-Z0-9_]{0,40}", arguments in any_object())| {
        prop_assume!(kit.assistant.toolbox.get(&name).is_none());
        let refused = kit.project().fails(&name, Value::Object(arguments));
        prop_assert_eq!(refused, format!("Unknown tool: {name}"));
    });
}

/// Property 8: Dependency Enforcement.
// design: 000 DependencyManager, execute 2, property 8, DependencyError
#[test]
fn what_is_missing_is_listed() {
    let kit = kit();
    proptest!(cases(), |(module in dependents(), has_profile in any::<bool>())| {
        let exists: &[Module] = if has_profile { &[Module::RequirementProfile] } else { &[] };
        let missing: Vec<&Module> = module.facts().needs.iter().filter(|n| !exists.contains(n)).collect();
        prop_assume!(!missing.is_empty());
        let tool = module.facts().tool;
        let refused = with(&kit, exists).fails(tool, json!({}));
        let starts = format!("Cannot execute {tool}: requires ");
        prop_assert!(refused.starts_with(&starts), "{}", refused);
        for need in missing {
            prop_assert!(refused.contains(need.facts().words), "{}", refused);
        }
    });
}

/// Property 9: Successful Execution Stores Artifact.
// design: 000 ToolDefinition.module_type, ToolExecutionResult.success, execute 3, execute 4
// design: 000 execute 5, property 9, test files
#[test]
fn a_module_that_stands_alone_stores_its_document() {
    let kit = kit();
    proptest!(cases(), |((module, input) in standalone())| {
        let mut project = kit.project();
        let output = match project.call(module.facts().tool, input.clone()) {
            CallOutcome::Done(output) => output,
            other @ (CallOutcome::Refused(_) | CallOutcome::Asked(_) | CallOutcome::Failed(_)) => {
                return Err(TestCaseError::fail(format!("{input}: {other:?}")));
            }
        };
        let kind = module.facts().artifact;
        prop_assert!(project.conversation.progress.has_artifact(kind, false));
        let text = output.result.to_string();
        prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), output.result);
        let stored = project.newest(kind);
        prop_assert!(stored.content.is_object() && !stored.title.is_empty());
    });
}

/// A value that is hardly ever right.
fn wrong() -> impl Strategy<Value = Value> {
    let values = [
        json!(null),
        json!(""),
        json!("   "),
        json!(-1),
        json!(1_000_000_000_000_000_i64),
        json!([]),
        json!({ "a": 1 }),
        json!(true),
        json!("klingon"),
        json!("2026-02-30"),
    ];
    prop::sample::select(values.to_vec())
}

/// Whether an error names an argument, by its field name or in words.
fn names(message: &str, field: &str) -> bool {
    let message = message.to_lowercase();
    let last = field.rsplit('_').next().unwrap_or(field);
    message.contains(field) || message.contains(&field.replace('_', " ")) || message.contains(last)
}

/// Property 11: Error Message Descriptiveness. One argument of a good call is made wrong or
/// left out, and the error speaks of that argument; a dependent called too early learns
/// what is missing. A sentence that would do for any failure does for none.
// design: 000 ToolExecutionResult.success, property 11, OpenAIIntegrationError, strategy 2
#[test]
fn an_error_says_what_is_wrong() {
    let kit = kit();
    let failures = std::cell::Cell::new(0);
    proptest!(cases(), |((module, input) in standalone(), index in any::<prop::sample::Index>(), value in prop::option::of(wrong()))| {
        let Value::Object(mut arguments) = input else { unreachable!() };
        let fields: Vec<String> = arguments.keys().cloned().collect();
        let field = index.get(&fields).clone();
        match value {
            Some(value) => arguments.insert(field.clone(), value),
            None => arguments.remove(&field),
        };
        let called = kit.project().call(module.facts().tool, Value::Object(arguments.clone()));
        if let Some(message) = called.error() {
            failures.set(failures.get() + 1);
            prop_assert!(names(message, &field), "{}: {}", field, message);
            prop_assert!(!message.contains("could not do this just now"), "{}", message);
        }
    });
    assert!(failures.get() >= 32, "only {} calls failed", failures.get());
    proptest!(cases(), |(module in dependents(), arguments in any_object())| {
        let message = kit.project().fails(module.facts().tool, Value::Object(arguments));
        prop_assert!(message.contains(module.facts().tool), "{}", message);
        for need in module.facts().needs {
            prop_assert!(message.contains(need.facts().words), "{}", message);
        }
    });
    proptest!(cases(), |(index in any::<prop::sample::Index>(), key in "[a-z]{3,12}_zz")| {
        let tools: Vec<String> = kit.assistant.toolbox.defs().map(|d| d.name.to_string()).collect();
        let tool = index.get(&tools).clone();
        let mut project = with(&kit, &[Module::RequirementProfile, Module::TaScreening]);
        let unknown = Value::Object(Map::from_iter([(key.clone(), json!(1))]));
        if let Some(message) = project.call(&tool, unknown).error() {
            prop_assert!(message.contains(&tool) || message.contains("candidate report") || message.contains("job ad"), "{}", message);
        }
    });
}
