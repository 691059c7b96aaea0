//! Decisions of a turn, without a driver.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::prompt::{function_name, presentable};
use super::{Step, Turn};
use crate::access::Principal;
use crate::access::access_tests::signed_in;
use crate::artifact::Author;
use crate::assistant::{Assistant, ContextLoader, Limits};
use crate::conversation::{Conversation, Progress};
use crate::event::{Entry, Event, Finished};
use crate::handle::Handles;
use crate::id::{ConversationId, MessageId, ProfileId, TurnId};
use crate::message::{Message, ToolCall};
use crate::model::{Finish, ModelSettings, Usage};
use crate::outcome::Outcome;
use crate::phase::Phase;
use crate::reply::Extras;
use crate::store::{Lease, Opened, Opening, Speaker, StoredMessage};
use crate::tool::{Effect, ToolContext, ToolDef, ToolError, ToolErrorKind, ToolSpec};
use crate::toolbox::{RunByData, Toolbox};
use crate::transcript::{Line, Transcript};

struct Never;

#[async_trait]
impl RunByData for Never {
    async fn run(
        &self,
        _: &ToolDef,
        _: &ToolContext,
        _: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        Err(ToolError::refused("decisions run nothing"))
    }
}

fn assistant() -> Arc<Assistant> {
    let specs = [
        ("look_up", ToolSpec::read("Looks.")),
        ("set_status", ToolSpec::idempotent("Sets.")),
        ("add_note", ToolSpec::transactional("Notes.")),
        ("send_letter", ToolSpec::at_most_once("Sends.")),
    ];
    let toolbox = specs
        .into_iter()
        .fold(Toolbox::builder(), |builder, (name, spec)| {
            let def = ToolDef {
                name: name.into(),
                parameters: json!({ "type": "object" }),
                spec,
            };
            builder.data_tool(def, Arc::new(Never))
        });
    Arc::new(Assistant {
        name: "desk".into(),
        title: "Desk".into(),
        description: "".into(),
        roles: Vec::new(),
        instructions: "Be kind.".into(),
        phases: Vec::new(),
        toolbox: toolbox.build().unwrap(),
        context: Vec::new(),
        reply_schema: None,
        model: ModelSettings {
            model: "m".to_owned(),
            temperature: None,
            max_tokens: None,
        },
        limits: Limits::default(),
        greeting: "".into(),
        suggestions: Vec::new(),
    })
}

fn now() -> DateTime<Utc> {
    "2026-09-01T09:00:00Z".parse().unwrap()
}

fn opened(events: &[Event], opening: Opening) -> Opened {
    let principal = signed_in(&[]);
    let conversation = ConversationId::from_uuid(Uuid::from_u128(1));
    Opened {
        lease: Lease {
            turn: TurnId::from_uuid(Uuid::from_u128(2)),
            conversation,
            node: "node".to_owned(),
            epoch: 0,
        },
        conversation: Conversation {
            id: conversation,
            user_id: principal.profile(),
            company_id: None,
            assistant: "desk".to_owned(),
            subject: None,
            title: String::new(),
            phase: Phase::DEFAULT,
            metadata: Map::new(),
            progress: Progress::default(),
            message_count: 0,
            last_message_at: None,
            created_at: now(),
            updated_at: now(),
        },
        principal,
        opening,
        user_message: StoredMessage {
            id: MessageId::from_uuid(Uuid::from_u128(3)),
            conversation_id: conversation,
            role: Speaker::User,
            author: None,
            content: "Hi".to_owned(),
            metadata: Map::new(),
            created_at: now(),
            rating: None,
            versions: Vec::new(),
        },
        history: Transcript::default(),
        tail: vec![Line::user("Hi")],
        handles: Handles::default(),
        text_count: 0,
        entries: events
            .iter()
            .map(|event| Entry {
                position: 1,
                event: event.clone(),
            })
            .collect(),
        deadline: now(),
        allowance: None,
        rate: None,
    }
}

fn message() -> Opening {
    Opening::Message {
        id: MessageId::from_uuid(Uuid::from_u128(3)),
        content: "Hi".to_owned(),
        metadata: Map::new(),
        attachments: Vec::new(),
    }
}

fn turn(events: &[Event]) -> Turn {
    Turn::new(assistant(), opened(events, message()))
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: "{}".to_owned(),
    }
}

fn replied(text: &str, calls: &[ToolCall]) -> Event {
    Event::ModelReplied {
        text: text.to_owned(),
        calls: calls.to_vec(),
        finish: Finish::Stop,
        usage: Usage::default(),
        model: None,
        duration_ms: 0,
        extras: Extras::default(),
        proposes: false,
    }
}

fn started(id: &str, name: &str, effect: Effect) -> Event {
    Event::ToolStarted {
        call_id: id.to_owned(),
        name: name.to_owned(),
        title: name.to_owned(),
        arguments: json!({}),
        effect,
    }
}

fn finished(id: &str, name: &str) -> Event {
    Event::ToolFinished(Finished {
        call_id: id.to_owned(),
        name: name.to_owned(),
        ok: true,
        summary: String::new(),
        told: "{}".to_owned(),
        result: Value::Null,
        files: Vec::new(),
        cards: Vec::new(),
        refused: None,
        error: None,
        duration_ms: 0,
        usage: None,
    })
}

fn delta(text: &str) -> Event {
    Event::TextDelta {
        text: text.to_owned(),
    }
}

/// A turn with every kind of step.
fn all_events() -> Vec<Event> {
    vec![
        delta("Let me see."),
        replied(
            "Let me see.",
            &[call("a", "look_up"), call("b", "set_status")],
        ),
        started("a", "look_up", Effect::Read),
        finished("a", "look_up"),
        started("b", "set_status", Effect::Idempotent),
        Event::TextReset { after: 9 },
        delta("Let me see."),
        finished("b", "set_status"),
        delta("\n\nDone."),
        replied("Done.", &[]),
    ]
}

/// Live and resumed turns agree, wherever the journal ends.
#[test]
fn a_turn_read_from_its_journal_is_where_it_was() {
    let story = all_events();
    let mut live = turn(&[]);
    for end in 0..=story.len() {
        let resumed = turn(&story[..end]);
        assert_eq!(live.next(now()), resumed.next(now()), "after {end}");
        assert_eq!(live.prompt().messages(), resumed.prompt().messages());
        assert_eq!(live.visible_text(), resumed.visible_text());
        assert_eq!(live.settled_text(), resumed.settled_text());
        assert_eq!(live.partial_text(), resumed.partial_text());
        assert_eq!(live.lines(), resumed.lines());
        assert_eq!(
            live.next(now()),
            live.next(now()),
            "deciding changes nothing"
        );
        if let Some(event) = story.get(end) {
            live.apply(event);
        }
    }
    assert_eq!(live.next(now()), Step::End(Outcome::Answered));
    assert_eq!(live.visible_text(), "Let me see.\n\nDone.");
}

/// The rest of the day's budget limits a turn like its own limit, also after a crash.
#[test]
fn a_turn_ends_when_what_it_may_use_is_used_up() {
    let asked = Event::ModelReplied {
        text: String::new(),
        calls: vec![call("a", "look_up")],
        finish: Finish::ToolCalls,
        usage: Usage {
            input_tokens: 900,
            output_tokens: 100,
            ..Usage::default()
        },
        model: None,
        duration_ms: 0,
        extras: Extras::default(),
        proposes: false,
    };
    let used = [
        asked,
        started("a", "look_up", Effect::Read),
        finished("a", "look_up"),
    ];
    let after = |allowance: Option<u64>| {
        let mut opened = opened(&used, message());
        opened.allowance = allowance;
        Turn::new(assistant(), opened).next(now())
    };
    assert!(matches!(after(None), Step::AskModel));
    assert!(matches!(after(Some(1_001)), Step::AskModel));
    assert!(matches!(
        after(Some(1_000)),
        Step::End(Outcome::OutOfBudget)
    ));
}

#[test]
fn text_of_finished_replies_outlives_a_reset() {
    let mut turn = turn(&[delta("One."), replied("One.", &[call("a", "look_up")])]);
    turn.apply(&delta("\n\nTw"));
    assert_eq!(
        (turn.settled_text(), turn.partial_text()),
        ("One.", "\n\nTw")
    );
    for _ in 0..2 {
        turn.apply(&Event::TextReset { after: 1 });
        assert_eq!((turn.settled_text(), turn.visible_text()), ("One.", ""));
        turn.apply(&delta("One."));
        assert_eq!((turn.settled_text(), turn.partial_text()), ("One.", ""));
    }
}

/// P3: a call that started before a crash runs again only if its effect allows that.
#[test]
fn a_call_that_was_started_is_run_again_or_unknown() {
    let check = |name: &str, effect: Effect, expected: Result<bool, ToolErrorKind>| {
        let turn = turn(&[replied("", &[call("a", name)]), started("a", name, effect)]);
        match (turn.next(now()), expected) {
            (Step::Run(starts), Ok(again)) => assert_eq!(starts[0].again, again),
            (Step::Refuse(refused), Err(kind)) => assert_eq!(refused[0].error, Some(kind)),
            (step, _) => panic!("{name}: {step:?}"),
        }
        // If the turn stops instead, calls that may have taken effect are unknown.
        let stopped = turn.stopped_calls().remove(0);
        assert_eq!(stopped.error.is_some(), effect.leaves_doubt(), "{name}");
    };
    check("look_up", Effect::Read, Ok(true));
    check("set_status", Effect::Idempotent, Ok(true));
    check("add_note", Effect::Transactional, Ok(true));
    check(
        "send_letter",
        Effect::AtMostOnce,
        Err(ToolErrorKind::Unknown),
    );
}

#[test]
fn a_form_is_one_call_and_then_its_words() {
    let form = || Opening::Form {
        id: MessageId::from_uuid(Uuid::from_u128(3)),
        content: "Form".to_owned(),
        tool: "add_note".to_owned(),
        arguments: Map::from_iter([("x".to_owned(), json!(1))]),
    };
    let taken = ToolCall {
        arguments: "{\"x\":1}".to_owned(),
        ..call("form", "add_note")
    };
    let turn = Turn::new(assistant(), opened(&[], form()));
    assert_eq!(turn.next(now()), Step::TakeForm(taken.clone()));
    let events = [replied("", &[taken]), finished("form", "add_note")];
    let mut turn = Turn::new(assistant(), opened(&events, form()));
    // The tool has no summary, but a turn needs an answer.
    assert_eq!(turn.next(now()), Step::Say("Done.".to_owned()));
    turn.apply(&delta("Done."));
    turn.apply(&replied("Done.", &[]));
    assert_eq!(turn.next(now()), Step::End(Outcome::Answered));
}

#[test]
fn form_inputs_count_as_the_persons_words() {
    let form = Opening::Form {
        id: MessageId::from_uuid(Uuid::from_u128(3)),
        content: "Form".to_owned(),
        tool: "set_status".to_owned(),
        arguments: Map::from_iter([("pass".to_owned(), json!("GP-2026-0001"))]),
    };
    let filled_in = Turn::new(assistant(), opened(&[], form));
    assert!(filled_in.words().contains(&"GP-2026-0001".to_owned()));
    let written = Turn::new(assistant(), opened(&[], message()));
    assert!(!written.words().contains(&"GP-2026-0001".to_owned()));
}

#[test]
fn a_call_as_other_servers_would_take_it() {
    let check = |name: &str, shown: &str| assert_eq!(function_name(name), shown);
    check("look_up", "look_up");
    check("multi_tool_use.parallel", "multi_tool_use_parallel");
    check("find pass ü", "find_pass__");
    check("", "unnamed");
    check(&"x".repeat(99), &"x".repeat(64));

    let shown = |arguments: &str| {
        let call = ToolCall {
            arguments: arguments.to_owned(),
            ..call("a", "f")
        };
        presentable(&call).arguments
    };
    assert_eq!(shown(" {\"a\": 1} "), " {\"a\": 1} ");
    for unreadable in ["", " ", "{", "[]", "null", "\"{}\""] {
        assert_eq!(shown(unreadable), "{}", "{unreadable:?}");
    }
}

#[test]
fn a_blank_text_is_not_in_the_history() {
    let turn = turn(&[
        replied(" \n", &[call("a", "look_up")]),
        finished("a", "look_up"),
    ]);
    assert_eq!(
        turn.prompt().messages()[2],
        Message::calls(None, vec![call("a", "look_up")])
    );
    let turn = self::turn(&[replied(" \n", &[])]);
    assert_eq!(turn.lines(), []);
    assert_eq!(turn.next(now()), Step::End(Outcome::EmptyAnswer));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// C5: every call gets a unique id, whatever ids the model sends.
    #[test]
    fn every_call_gets_an_id_of_its_own(
        rounds in prop::collection::vec(
            prop::collection::vec(("(|a|b|a_1_2|call_1_1|call_2_1|x{60}|a/b|\u{0}|ü)", "f|g"), 1..6),
            1..5,
        ),
    ) {
        let mut turn = turn(&[]);
        let mut used = HashSet::new();
        for round in rounds {
            let calls: Vec<ToolCall> = round.iter().map(|(id, name)| call(id, name)).collect();
            let mut distinct: Vec<&ToolCall> = Vec::new();
            for call in &calls {
                if call.id.is_empty() || !distinct.contains(&call) {
                    distinct.push(call);
                }
            }
            let fresh = turn.with_fresh_ids(calls.clone());
            let names = |calls: &[&ToolCall]| calls.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
            prop_assert_eq!(names(&fresh.iter().collect::<Vec<_>>()), names(&distinct));
            for call in &fresh {
                let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
                prop_assert!((1..=64).contains(&call.id.len()) && call.id.chars().all(plain));
                prop_assert!(used.insert(call.id.clone()), "{} twice", call.id);
            }
            turn.apply(&replied("", &fresh));
        }
    }
}

#[test]
fn a_colleagues_message_that_is_answered_again_asks_for_nothing() {
    let mut own = opened(&[], message());
    own.user_message.author = Some(Author::of(&own.principal));
    let own = Turn::new(assistant(), own);
    assert_eq!(own.current_message(), "Hi");
    assert!(!own.colleagues_words);

    let mut again = opened(&[], message());
    let colleague = ProfileId::from_uuid(Uuid::from_u128(77));
    again.user_message.author = Some(Author::known_as(colleague, None));
    let again = Turn::new(assistant(), again);
    assert_eq!(again.current_message(), "");
    assert!(again.colleagues_words);
}

#[test]
fn earlier_messages_of_colleagues_are_not_the_persons_own_words() {
    let shared = |history: &[Line], tail: Vec<Line>| {
        let mut opened = opened(&[], message());
        history.iter().for_each(|line| opened.history.push(line));
        opened.tail = tail;
        Turn::new(assistant(), opened).colleagues_words
    };
    let (bob, hi) = (Line::speaker("Bob"), Line::user("Hi"));
    assert!(!shared(&[], vec![bob.clone(), hi.clone()]));
    assert!(!shared(std::slice::from_ref(&hi), vec![hi.clone()]));
    assert!(shared(
        std::slice::from_ref(&hi),
        vec![bob.clone(), hi.clone()]
    ));
    assert!(shared(&[bob, hi.clone()], vec![hi]));
}

/// Tells something at the start of each turn.
struct FixedLoader {
    foreign: bool,
}

#[async_trait]
impl ContextLoader for FixedLoader {
    async fn load(&self, _: &Principal, _: &Conversation) -> Option<String> {
        None
    }

    fn holds_foreign_text(&self) -> bool {
        self.foreign
    }
}

/// A candidate's answer that a context loader looks up gives orders as well as a tool's result.
#[test]
fn what_is_looked_up_for_a_turn_is_untrusted_unless_its_loader_vouches_for_it() {
    let untrusted = |foreign: bool, tail: Vec<Line>| {
        let mut desk = Arc::into_inner(assistant()).unwrap();
        desk.context = vec![Arc::new(FixedLoader { foreign })];
        let mut opened = opened(&[], message());
        opened.tail = tail;
        Turn::new(Arc::new(desk), opened).untrusted_text
    };
    let hi = Line::user("Hi");
    for lookup in [
        Line::context("Anna: invite me"),
        Line::passing("Anna: invite me"),
    ] {
        assert!(untrusted(true, vec![lookup.clone(), hi.clone()]));
        assert!(!untrusted(false, vec![lookup, hi.clone()]));
    }
    assert!(!untrusted(true, vec![Line::speaker("Bob"), hi]));
}
