//! Provider failures, each before and after the first token if that matters: the error
//! kind, the number of requests, the server's `Retry-After`, and that shown text stays
//! shown.

use std::time::Duration;

use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{Finish, Model, ModelError, ModelErrorKind, Reply, Usage};
use frontdesk_testkit::model_server::{Answer, Gate, ModelServer, calls, fault, say, status};
use serde_json::{Value, json};

use super::super::{OpenAiSettings, Timeouts};
use super::{Client, ManualClock, Screen, TestRequest};

/// One row of the table.
struct Case {
    name: &'static str,
    /// The server's behaviour, given a gate that opens when text was shown.
    script: fn(&Gate) -> Vec<Answer>,
    hangs: SilentAt,
    end: End,
}

/// The point at which the server goes silent, and so the timeout under test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SilentAt {
    Never,
    BeforeHead,
    InBody,
}

enum End {
    Says(&'static str),
    /// The whole reply, given the length of the request's body.
    Replies(fn(u64) -> Reply),
    Fails {
        kind: ModelErrorKind,
        attempts: usize,
        retry_after: Option<u64>,
        shown: &'static str,
    },
}

/// Fails in all three attempts.
fn three_times(kind: ModelErrorKind) -> End {
    End::Fails {
        kind,
        attempts: 3,
        retry_after: None,
        shown: "",
    }
}

/// Fails at the first attempt, with nothing shown.
fn once(kind: ModelErrorKind) -> End {
    End::Fails {
        kind,
        attempts: 1,
        retry_after: None,
        shown: "",
    }
}

/// Fails at the first attempt because "Hel" was shown.
fn shown(kind: ModelErrorKind) -> End {
    End::Fails {
        kind,
        attempts: 1,
        retry_after: None,
        shown: "Hel",
    }
}

fn told_to_wait(kind: ModelErrorKind, attempts: usize, seconds: u64) -> End {
    End::Fails {
        kind,
        attempts,
        retry_after: Some(seconds),
        shown: "",
    }
}

fn thrice(answer: Answer) -> Vec<Answer> {
    vec![answer.clone(), answer.clone(), answer]
}

fn then_well(answer: Answer) -> Vec<Answer> {
    vec![answer, say("Hello.")]
}

const DATE: (&str, &str) = ("Date", "Sun, 15 Nov 2026 21:00:00 GMT");

fn overloaded() -> Value {
    json!({"message": "The server is overloaded", "type": "server_error"})
}

const TORN: &str = "Grüße, 世界! 👩‍🚀";

/// The server's default reply.
fn reply(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        calls: Vec::new(),
        finish: Finish::Stop,
        usage: Some(Usage {
            input_tokens: 100,
            output_tokens: 10,
            cached_tokens: 0,
            estimated: false,
        }),
        model: Some("scripted".to_owned()),
        quick_replies: Vec::new(),
        proposes: false,
    }
}

fn two() -> [(&'static str, Value); 2] {
    [
        ("find", json!({"name": "Ada \"A\" Lovelace"})),
        ("list", json!({"all": true})),
    ]
}

fn calling() -> Reply {
    let call = |number: usize, (name, arguments): &(&str, Value)| ToolCall {
        id: format!("call_{number}"),
        name: (*name).to_owned(),
        arguments: arguments.to_string(),
    };
    let [first, second] = two();
    Reply {
        calls: vec![call(1, &first), call(2, &second)],
        finish: Finish::ToolCalls,
        ..reply("")
    }
}

fn estimated(request_bytes: u64) -> Reply {
    Reply {
        usage: Some(Usage {
            input_tokens: request_bytes.div_ceil(4),
            output_tokens: 2,
            cached_tokens: 0,
            estimated: true,
        }),
        ..reply("Hello.")
    }
}

#[rustfmt::skip]
fn cases() -> Vec<Case> {
    use SilentAt::{BeforeHead, InBody, Never};
    use ModelErrorKind::{ContextTooLong, Interrupted, Malformed, RateLimited, Rejected, TimedOut, Unauthorized, Unavailable};
    let case = |name, script, hangs, end| Case { name, script, hangs, end };
    let well = || End::Says("Hello.");
    vec![
        case("nothing wrong", |_| vec![say("Hello.")], Never, well()),
        // Statuses
        case("429", |_| thrice(status(429)), Never, three_times(RateLimited)),
        case("429, then well", |_| then_well(status(429)), Never, well()),
        case("429 with seconds", |_| thrice(status(429).retry_after("2")), Never, told_to_wait(RateLimited, 3, 2)),
        case("429 with seconds, then well", |_| then_well(status(429).retry_after("2")), Never, well()),
        case("429 with a date", |_| thrice(status(429).header(DATE.0, DATE.1).retry_after("Sun, 15 Nov 2026 21:00:03 GMT")), Never, told_to_wait(RateLimited, 3, 3)),
        case("429 with a date, then well", |_| then_well(status(429).header(DATE.0, DATE.1).retry_after("Sun, 15 Nov 2026 21:00:03 GMT")), Never, well()),
        case("429 with a date of the past", |_| thrice(status(429).retry_after("Wed, 21 Oct 2015 07:28:00 GMT")), Never, told_to_wait(RateLimited, 3, 0)),
        case("429 with 9999 s", |_| vec![status(429).retry_after("9999")], Never, told_to_wait(RateLimited, 1, 9999)),
        case("429 without money", |_| vec![status(429).body(json!({"error": {"code": "insufficient_quota"}}).to_string())], Never, once(RateLimited)),
        case("500", |_| thrice(status(500)), Never, three_times(Unavailable)),
        case("500, then well", |_| then_well(status(500)), Never, well()),
        case("502", |_| thrice(status(502)), Never, three_times(Unavailable)),
        case("503", |_| thrice(status(503)), Never, three_times(Unavailable)),
        case("503 with seconds", |_| thrice(status(503).retry_after("1")), Never, told_to_wait(Unavailable, 3, 1)),
        case("504", |_| thrice(status(504)), Never, three_times(Unavailable)),
        case("400", |_| vec![status(400)], Never, once(Rejected)),
        case("400 for the length", |_| vec![status(400).body(json!({"error": {"code": "context_length_exceeded"}}).to_string())], Never, once(ContextTooLong)),
        case("401", |_| vec![status(401)], Never, once(Unauthorized)),
        case("a redirect", |_| vec![status(302).header("Location", "/v1/models")], Never, once(Rejected)),
        // Silence
        case("accept, then silence", |_| thrice(fault::silence()), BeforeHead, three_times(TimedOut)),
        case("accept, then silence, then well", |_| then_well(fault::silence()), BeforeHead, well()),
        case("head, then silence", |_| thrice(fault::silence_after_head()), InBody, three_times(TimedOut)),
        case("head, then silence, then well", |_| then_well(fault::silence_after_head()), InBody, well()),
        case("tokens, then silence", |_| vec![fault::silence_after("Hel")], InBody, shown(TimedOut)),
        case("plain: half an object, then silence", |_| thrice(fault::silence_after("Hel").plain()), InBody, three_times(TimedOut)),
        // Broken connections
        case("reset before the first byte", |_| thrice(fault::reset()), Never, three_times(Interrupted)),
        case("reset before the first byte, then well", |_| then_well(fault::reset()), Never, well()),
        case("reset before the first token", |_| thrice(say("").then_reset()), Never, three_times(Interrupted)),
        case("reset after the first token", |read| vec![fault::reset_after("Hel", read)], Never, shown(Interrupted)),
        case("plain: reset", |_| thrice(say("Hello.").plain().then_reset()), Never, three_times(Interrupted)),
        case("hung up before the first token", |_| thrice(say("").then_hang_up()), Never, three_times(Interrupted)),
        case("hung up after the first token", |_| vec![say("Hel").then_hang_up()], Never, shown(Interrupted)),
        case("plain: hung up", |_| thrice(say("Hello.").plain().then_hang_up()), Never, three_times(Interrupted)),
        case("end without [DONE] before the first token", |_| thrice(fault::end_after("")), Never, three_times(Interrupted)),
        case("end without [DONE] after the first token", |_| vec![fault::end_after("Hel")], Never, shown(Interrupted)),
        case("end without [DONE] after the finish", |_| vec![say("Hello.").without_done()], Never, well()),
        case("hung up after the finish", |_| vec![say("Hello.").then_event(json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}).to_string()).then_hang_up()], Never, well()),
        case("more after [DONE]", |_| vec![say("Hello.").then_event("[DONE]").then_say("No.").writes_of(100_000)], Never, well()),
        // Nonsense
        case("bad JSON before the first token", |_| thrice(fault::bad_json_after("")), Never, three_times(Malformed)),
        case("bad JSON after the first token", |_| vec![fault::bad_json_after("Hel")], Never, shown(Malformed)),
        case("plain: bad JSON", |_| thrice(fault::bad_json_after("").plain()), Never, three_times(Malformed)),
case("UTF-8 split over chunks", |_| vec![fault::torn_characters(TORN)], Never, End::Replies(|_| reply(TORN))),
        case("CR LF, a byte order mark and comments", |_| vec![fault::odd_lines("Hello.")], Never, well()),
        case("lines that end with CR", |_| vec![fault::bare_returns("Hello.")], Never, well()),
        case("a line of 50 MB before the first token", |_| thrice(fault::long_line_after("", 50_000_000)), Never, three_times(Malformed)),
        case("a line of 50 MB after the first token", |_| vec![fault::long_line_after("Hel", 50_000_000)], Never, shown(Malformed)),
        case("200 with HTML", |_| thrice(fault::html()), Never, three_times(Malformed)),
        case("200 with HTML, then well", |_| then_well(fault::html()), Never, well()),
        case("200 with plain text", |_| thrice(status(200).body("It works!")), Never, three_times(Malformed)),
        case("200 with nothing", |_| thrice(status(200).body("")), Never, three_times(Interrupted)),
        case("200 with other JSON", |_| thrice(status(200).body("{\"ok\":true}")), Never, three_times(Malformed)),
        case("200 with an error before the first token", |_| thrice(fault::error_event_after("", overloaded())), Never, three_times(Unavailable)),
        case("200 with an error after the first token", |_| vec![fault::error_event_after("Hel", overloaded())], Never, shown(Unavailable)),
        case("200 with an error of the rate", |_| thrice(fault::error_event_after("", json!({"code": 429, "message": "slow down"}))), Never, three_times(RateLimited)),
        case("200 with an error of the length", |_| vec![fault::error_event_after("", json!({"code": "context_length_exceeded"}))], Never, once(ContextTooLong)),
        case("200 with an event named error", |_| thrice(say("").then_event("{\"message\":\"busy\"}\nevent: error")), Never, three_times(Unavailable)),
        case("plain: 200 with an error", |_| thrice(status(200).body(json!({"error": overloaded()}).to_string())), Never, three_times(Unavailable)),
        // Whole replies
        case("finish_reason length", |_| vec![fault::cut_at_length("Hel")], Never, End::Replies(|_| Reply { finish: Finish::Length, ..reply("Hel") })),
        case("finish_reason content_filter", |_| vec![fault::content_filtered("Hel")], Never, End::Replies(|_| Reply { finish: Finish::ContentFilter, ..reply("Hel") })),
        case("tool fragments interleaved", |_| vec![fault::interleaved_calls(two())], Never, End::Replies(|_| calling())),
        case("tool fragments without index", |_| vec![fault::calls_without_index(two())], Never, End::Replies(|_| calling())),
        case("arguments as an object", |_| vec![fault::arguments_as_object(two())], Never, End::Replies(|_| calling())),
        case("usage absent", |_| vec![fault::without_usage("Hello.")], Never, End::Replies(estimated)),
        case("plain: usage absent", |_| vec![fault::without_usage("Hello.").plain()], Never, End::Replies(estimated)),
        case("plain: finish_reason length", |_| vec![fault::cut_at_length("Hel").plain()], Never, End::Replies(|_| Reply { finish: Finish::Length, ..reply("Hel") })),
        case("plain: calls", |_| vec![calls(two()).plain()], Never, End::Replies(|_| calling())),
        case("plain: well", |_| vec![say("Hello.").plain()], Never, well()),
    ]
}

/// The observed result of a case.
struct CaseResult {
    result: Result<Reply, ModelError>,
    shown: String,
    requests: usize,
    request_bytes: u64,
    waits: Vec<Duration>,
}

async fn play(case: &Case) -> CaseResult {
    let server = ModelServer::start().await;
    let screen = Screen::default();
    server.script((case.script)(&screen.lit));
    let head = match case.hangs {
        // Disables the other timeout.
        SilentAt::InBody => Duration::from_secs(3600),
        SilentAt::Never | SilentAt::BeforeHead => Timeouts::default().head,
    };
    let client = Client::of(OpenAiSettings {
        base_url: server.url(),
        timeouts: Timeouts {
            head,
            ..Timeouts::default()
        },
        ..OpenAiSettings::default()
    });
    let awaited = match &case.end {
        End::Fails { shown, .. } => *shown,
        End::Says(_) | End::Replies(_) => "",
    };
    let still = ManualClock::begin();
    let request = TestRequest::new();
    let mut sink = screen.clone();
    let mut moved_for = 0;
    let result = still
        .drive(
            client.model.reply(request.ask(), &mut sink),
            Duration::from_secs(31),
            || {
                let asked = server.request_count();
                let may = server.is_silent()
                    && screen.text() == awaited
                    && (case.hangs == SilentAt::InBody || asked > moved_for);
                moved_for = if may { asked } else { moved_for };
                may
            },
        )
        .await;
    let requests = server.request_count();
    let request_bytes = server.request(0).body().len() as u64;
    server.finish();
    CaseResult {
        result,
        shown: screen.text(),
        requests,
        request_bytes,
        waits: client.waits(),
    }
}

fn check(case: &Case, seen: &CaseResult) {
    let name = case.name;
    match (&case.end, &seen.result) {
        (End::Says(text), Ok(reply)) => {
            assert_eq!(
                (reply.text.as_str(), seen.shown.as_str()),
                (*text, *text),
                "{name}"
            );
            assert_eq!(reply.finish, Finish::Stop, "{name}");
        }
        (
            End::Fails {
                kind,
                attempts,
                retry_after,
                shown,
            },
            Err(error),
        ) => {
            assert_eq!(error.kind, *kind, "{name}: {error}");
            assert_eq!(seen.requests, *attempts, "{name}: {error}");
            assert_eq!(
                error.retry_after,
                retry_after.map(Duration::from_secs),
                "{name}"
            );
            assert_eq!(seen.shown, *shown, "{name}");
            check_waits(name, seen, retry_after.map(Duration::from_secs));
        }
        (End::Replies(expected), Ok(reply)) => {
            assert_eq!(*reply, expected(seen.request_bytes), "{name}");
            assert_eq!(seen.shown, reply.text, "{name}");
        }
        (End::Says(_) | End::Replies(_), Err(error)) => panic!("{name}: {:?} {error}", error.kind),
        (End::Fails { .. }, Ok(reply)) => panic!("{name}: {reply:?}"),
    }
}

/// One wait before each further attempt: the server's `Retry-After`, or up to 0.5 and 1 s.
fn check_waits(name: &str, seen: &CaseResult, told_to_wait: Option<Duration>) {
    assert_eq!(seen.waits.len(), seen.requests - 1, "{name}");
    for (made, wait) in seen.waits.iter().enumerate() {
        let (least, most) = match told_to_wait {
            Some(told_to_wait) => (told_to_wait, told_to_wait + Duration::from_millis(250)),
            None => (Duration::ZERO, Duration::from_millis(500 << made)),
        };
        assert!((least..=most).contains(wait), "{name}: waited {wait:?}");
    }
}

// design: 000 OpenAIAPIError, client timeout, OpenAIIntegrationError, OpenAIAPIError fields
// design: 000 client calls in order
// design: promises P14 upstream
#[tokio::test]
async fn every_upstream_fault_has_the_expected_result() {
    for case in cases() {
        let seen = play(&case).await;
        check(&case, &seen);
    }
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_tried_three_times() {
    let refusing = fault::RefusedPort::start();
    let server = ModelServer::start().await;
    let urls = [
        ("refused", refusing.url()),
        ("DNS", fault::unresolvable_url()),
        ("TLS", server.tls_url()),
    ];
    for (name, url) in urls {
        let client = Client::at(url);
        let error = client.say(&TestRequest::new()).await.unwrap_err();
        assert_eq!(error.kind, ModelErrorKind::Unreachable, "{name}: {error}");
        assert_eq!(client.waits().len(), 2, "{name}: {error}");
    }
    assert_eq!(server.connection_count(), 3, "each attempt at TLS was one");
    assert_eq!(server.request_count(), 0);
}
