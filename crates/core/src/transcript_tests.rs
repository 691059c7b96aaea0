//! Transcripts: joined bytes, and cuts that never separate a call from its results.

use bytes::Bytes;
use proptest::prelude::*;

use super::{Line, LineKind, Transcript, Window, parse_joined};
use crate::message::{Message, ToolCall};
use crate::model::Prompt;

fn transcript(lines: &[Line]) -> Transcript {
    let mut transcript = Transcript::with_capacity(lines.len(), 64);
    lines.iter().for_each(|line| transcript.push(line));
    transcript
}

fn calls(ids: impl IntoIterator<Item = usize>) -> Line {
    let call = |id: usize| ToolCall {
        id: id.to_string(),
        name: "look_up".to_owned(),
        arguments: "{}".to_owned(),
    };
    let calls = ids.into_iter().map(call).collect();
    Line::new(LineKind::Calls, &Message::calls(None, calls))
}

fn result(id: usize, content: &str) -> Line {
    let message = Message::tool(id.to_string(), "look_up", content);
    Line::new(LineKind::Result, &message)
}

fn answer(text: &str) -> Line {
    Line::new(LineKind::Answer, &Message::assistant(text))
}

const WIDE: u32 = 1_000_000;

fn window(max_messages: usize, max_tokens: u32) -> Window {
    Window {
        max_messages,
        max_tokens,
    }
}

/// Property 4 of the recruiting design: a history keeps its messages and their order.
#[test]
fn messages_come_back_in_order() {
    let lines = [
        Line::context("It is Monday."),
        Line::user("Hi"),
        calls([1, 2]),
        result(1, "a"),
        result(2, "b"),
        answer("Hello, \"Zoë\"\n"),
    ];
    let transcript = transcript(&lines);
    assert_eq!(transcript.len(), 6);
    assert!(transcript.has_results());
    let texts: Vec<_> = transcript
        .messages()
        .iter()
        .map(|m| m.text().map(str::to_owned))
        .collect();
    let expected = [
        Some("It is Monday."),
        Some("Hi"),
        None,
        Some("a"),
        Some("b"),
        Some("Hello, \"Zoë\"\n"),
    ];
    assert_eq!(texts, expected.map(|text| text.map(str::to_owned)));
    let joined: Vec<&str> = lines.iter().map(|line| line.wire.as_str()).collect();
    assert_eq!(transcript.as_bytes(), joined.join(",").as_bytes());
}

#[test]
fn invisible_characters_do_not_reach_the_model() {
    let hidden = "Hi\u{200B}\u{E0049}\u{202E} there";
    assert_eq!(Line::user(hidden), Line::user("Hi there"));
    assert_eq!(Line::context(hidden), Line::context("Hi there"));
}

#[test]
fn a_token_is_estimated_as_four_bytes() {
    let line = Line::user("x".repeat(100));
    assert_eq!(line.tokens as usize, line.wire.len().div_ceil(4));
}

#[test]
fn leaving_out_the_first_messages() {
    let lines = [Line::user("a"), answer("b"), Line::user("c")];
    for count in 0..=4 {
        let mut rest = transcript(&lines);
        rest.skip(count);
        let expected = transcript(&lines[count.min(3)..]);
        assert_eq!(rest.as_bytes(), expected.as_bytes());
        assert_eq!((rest.len(), rest.is_empty()), (expected.len(), count >= 3));
        // Appending still works after a cut.
        rest.push(&answer("d"));
        assert_eq!(rest.messages().last(), Some(&Message::assistant("d")));
    }
}

#[test]
fn unreadable_messages_are_skipped() {
    assert_eq!(parse_joined(b""), []);
    assert_eq!(parse_joined(b"{\"role\":\"user\""), []);
    let odd = br#"{"role":"boss"},{"role":"user","content":"Hi"}"#;
    assert_eq!(parse_joined(odd), [Message::user("Hi")]);
}

#[test]
fn a_history_that_fits_is_left_alone() {
    let lines = [Line::user("a"), answer("b"), Line::user("c"), answer("d")];
    let tokens: u32 = lines.iter().map(|line| line.tokens).sum();
    let fits = transcript(&lines);
    assert_eq!(fits.surplus(window(4, tokens)), 0);
    assert_ne!(fits.surplus(window(3, tokens)), 0);
    assert_ne!(fits.surplus(window(4, tokens - 1)), 0);
    assert_eq!(Transcript::default().surplus(window(0, 0)), 0);
}

// design: 000 unit ConversationManager
#[test]
fn whole_turns_go_first_and_half_of_the_window_at_once() {
    let turn = |n: usize| {
        [
            Line::context("now"),
            Line::user(format!("q{n}")),
            answer("a"),
        ]
    };
    let lines: Vec<Line> = (0..5).flat_map(turn).collect();
    // Half of 14 is 7: two turns of three messages, but not half of a third turn.
    assert_eq!(transcript(&lines).surplus(window(14, WIDE)), 9);
}

#[test]
fn where_one_turn_fills_the_window_whole_groups_stay() {
    let mut lines = vec![Line::user("a")];
    for group in 0..10 {
        lines.push(calls([group]));
        lines.push(result(group, "x"));
    }
    let cut = transcript(&lines).surplus(window(12, WIDE));
    assert_eq!((cut, lines[cut].kind), (15, LineKind::Calls));
}

#[test]
fn a_group_larger_than_the_window_is_kept_alone() {
    let mut lines = vec![
        Line::user("a"),
        calls([900]),
        result(900, "x"),
        calls(0..100),
    ];
    lines.extend((0..100).map(|id| result(id, "x")));
    assert_eq!(transcript(&lines).surplus(window(20, WIDE)), 3);

    let long = [
        Line::user("a"),
        answer("b"),
        Line::user("c"),
        answer(&"x".repeat(4_000)),
    ];
    assert_eq!(transcript(&long).surplus(window(20, 100)), 3);
}

/// A turn as the engine writes it: optional context, a message, call groups, an optional answer.
fn any_turn() -> impl Strategy<Value = Vec<Line>> {
    let group = prop::collection::vec(0usize..60, 1..5);
    (
        any::<bool>(),
        0usize..80,
        prop::collection::vec(group, 0..4),
        prop::option::of(0usize..400),
    )
        .prop_map(|(context, user, groups, words)| {
            let mut lines = Vec::new();
            lines.extend(context.then(|| Line::context("now")));
            lines.push(Line::user("u".repeat(user)));
            for sizes in groups {
                lines.push(calls(0..sizes.len()));
                let results = sizes.iter().enumerate();
                lines.extend(results.map(|(id, size)| result(id, &"r".repeat(*size))));
            }
            lines.extend(words.map(|count| answer(&"w".repeat(count))));
            lines
        })
}

fn any_history() -> impl Strategy<Value = Vec<Line>> {
    prop::collection::vec(any_turn(), 0..12).prop_map(|turns| turns.concat())
}

fn any_window() -> impl Strategy<Value = Window> {
    (0usize..40, 0u32..600).prop_map(|(messages, tokens)| window(messages, tokens))
}

fn fits(lines: &[Line], messages: usize, tokens: u32) -> bool {
    lines.len() <= messages && lines.iter().map(|line| line.tokens).sum::<u32>() <= tokens
}

/// One message, or one call with its results.
fn is_one_group(lines: &[Line]) -> bool {
    lines
        .iter()
        .skip(1)
        .all(|line| line.kind == LineKind::Result)
}

/// Every result follows its call, and every call has its results.
fn nothing_is_orphaned(messages: &[Message]) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        match message {
            Message::Tool { tool_call_id, .. } => {
                let Some(at) = open.iter().position(|id| id == tool_call_id) else {
                    return false;
                };
                open.remove(at);
            }
            Message::System { .. } | Message::User { .. } | Message::Assistant { .. }
                if !open.is_empty() =>
            {
                return false;
            }
            Message::Assistant { tool_calls, .. } => {
                open = tool_calls.iter().map(|call| call.id.as_str()).collect();
            }
            Message::System { .. } | Message::User { .. } => {}
        }
    }
    open.is_empty()
}

/// Any history and any window give a valid history that fits.
fn is_cut_well(lines: &[Line], window: Window) -> Result<(), TestCaseError> {
    let whole = transcript(lines);
    let cut = whole.surplus(window);
    prop_assert_eq!(
        cut,
        transcript(lines).surplus(window),
        "the same history, the same cut"
    );
    let kept = &lines[cut..];
    if fits(lines, window.max_messages, window.max_tokens) {
        prop_assert_eq!(cut, 0);
    } else {
        let half = fits(
            kept,
            window.max_messages.div_ceil(2).max(1),
            window.max_tokens / 2,
        );
        prop_assert!(
            half || is_one_group(kept),
            "kept {} of {}",
            kept.len(),
            lines.len()
        );
    }
    prop_assert!(lines.is_empty() || !kept.is_empty(), "the newest stays");
    let mut rest = whole;
    rest.skip(cut);
    prop_assert!(nothing_is_orphaned(&rest.messages()));
    let joined = transcript(kept);
    prop_assert_eq!(rest.as_bytes(), joined.as_bytes());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// P4.
    // design: promises P4 valid requests, K5
    #[test]
    fn a_cut_history_fits_and_orphans_nothing(lines in any_history(), window in any_window()) {
        is_cut_well(&lines, window)?;
    }

    /// Property 5 of the recruiting design: the system prompt stays first after every cut.
    #[test]
    fn the_system_prompt_stays_first(lines in any_history(), window in any_window()) {
        let mut history = transcript(&lines);
        history.skip(history.surplus(window));
        let system = Bytes::from(Message::system("You are the desk.").to_openai_format().to_string());
        let tail = Line::user("Hi").wire;
        let prompt = Prompt { system: &system, history: &history.into_bytes(), tail: tail.as_bytes() };
        let messages = prompt.messages();
        prop_assert_eq!(messages.first(), Some(&Message::system("You are the desk.")));
        prop_assert_eq!(messages.last(), Some(&Message::user("Hi")));
        prop_assert!(nothing_is_orphaned(&messages));
    }

    /// A message that was dropped once never returns.
    #[test]
    fn cuts_only_move_forward(
        lines in any_history(),
        more in prop::collection::vec(any_turn(), 1..4),
        window in any_window(),
    ) {
        let mut before = transcript(&lines).surplus(window);
        let mut lines = lines;
        for turn in more {
            lines.extend(turn);
            let after = transcript(&lines).surplus(window);
            prop_assert!(after >= before);
            before = after;
        }
    }

    /// A cut frees half of the window, so the prefix stays until the window is full.
    #[test]
    fn the_prefix_stays_for_half_a_window(turns in prop::collection::vec(any_turn(), 1..40)) {
        let window = window(30, 1_000);
        let mut kept: Vec<Line> = Vec::new();
        let mut free: Option<(usize, u32)> = None;
        for turn in turns {
            kept.extend(turn);
            let cut = transcript(&kept).surplus(window);
            if cut > 0 {
                if let Some((messages, tokens)) = free {
                    prop_assert!(!fits(&kept, messages, tokens));
                }
                kept.drain(..cut);
                free = (!is_one_group(&kept)).then_some((window.max_messages, window.max_tokens));
                prop_assert!(is_one_group(&kept) || fits(&kept, 15, 500));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    // design: promises P4 valid requests
    #[test]
    #[ignore = "long: make test-full"]
    fn ten_thousand_cut_histories_fit_and_orphan_nothing(
        lines in any_history(),
        window in any_window(),
    ) {
        is_cut_well(&lines, window)?;
    }
}
