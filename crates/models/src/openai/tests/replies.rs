//! Correct answers.

use frontdesk_core::model::{DeltaSink, Finish, Model};
use frontdesk_testkit::model_server::{Gate, ModelServer, call, fault, say, say_and_call};
use serde_json::json;

use super::{Client, ManualClock, Screen, TestRequest};

// design: 000 OpenAIClient.chat_completion
#[tokio::test]
async fn text_is_shown_while_it_arrives() {
    let server = ModelServer::start().await;
    let gate = Gate::shut();
    server.script([say("Hello, ").then_wait(&gate).then_say("world.")]);
    let client = Client::at(server.url());
    let screen = Screen::default();
    let (request, mut sink) = (TestRequest::new(), screen.clone());
    let reply = client.model.reply(request.ask(), &mut sink);
    let watch = async {
        screen.lit.passed().await;
        assert_eq!(screen.text(), "Hello, ");
        gate.open();
    };
    let (reply, ()) = tokio::join!(reply, watch);
    assert_eq!(reply.unwrap().text, "Hello, world.");
    assert_eq!(screen.text(), "Hello, world.");
}

/// Records each shown piece.
#[derive(Default)]
struct Pieces(Vec<String>);

impl DeltaSink for Pieces {
    fn text(&mut self, delta: &str) {
        self.0.push(delta.to_owned());
    }
}

#[tokio::test]
async fn chunks_that_arrive_together_are_shown_together() {
    let server = ModelServer::start().await;
    let text = vec!["token"; 61].join(" ");
    server.script([say(text.clone()).deltas_of(6).prepared()]);
    let client = Client::at(server.url());
    let mut shown = Pieces::default();
    let reply = client
        .model
        .reply(TestRequest::new().ask(), &mut shown)
        .await;
    assert_eq!(reply.unwrap().text, text);
    assert_eq!(shown.0.concat(), text);
    // It fits one write; the network may still split it.
    assert!(shown.0.len() <= 3, "{:?}", shown.0);
}

// design: 000 ChatCompletionResponse.content
#[tokio::test]
async fn text_and_calls_come_together() {
    let server = ModelServer::start().await;
    server.script([say_and_call("Looking…", "find", json!({"name": "Ada"}))
        .id("call_abc")
        .cached(80)]);
    let client = Client::at(server.url());
    let reply = client.say(&TestRequest::new()).await.unwrap();
    assert_eq!(reply.text, "Looking…");
    assert_eq!(reply.finish, Finish::ToolCalls);
    assert_eq!(reply.calls[0].id, "call_abc");
    assert_eq!(reply.calls[0].arguments, r#"{"name":"Ada"}"#);
    assert_eq!(reply.usage.unwrap().cached_tokens, 80);
}

#[tokio::test]
async fn a_connection_serves_many_requests() {
    let server = ModelServer::start().await;
    let answers = [
        say("one"),
        call("find", json!({})),
        say("three").plain(),
        say("four").writes_of(7),
        say("five"),
    ];
    server.script(answers);
    let client = Client::at(server.url());
    for _ in 0..5 {
        client.say(&TestRequest::new()).await.unwrap();
    }
    assert_eq!(server.connection_count(), 1);
}

#[tokio::test]
async fn a_dropped_request_closes_its_connection() {
    let server = ModelServer::start().await;
    server.script([fault::silence(), fault::silence_after("Hel")]);
    let client = Client::at(server.url());
    let (request, mut screen) = (TestRequest::new(), Screen::default());
    tokio::select! {
        _ = client.model.reply(request.ask(), &mut screen) => unreachable!("the server never answers"),
        () = server.requested(1) => {}
    }
    server.abandoned(1).await;
    let lit = screen.lit.clone();
    tokio::select! {
        _ = client.model.reply(request.ask(), &mut screen) => unreachable!("the server never ends"),
        () = lit.passed() => {}
    }
    server.abandoned(2).await;
    assert_eq!(server.request_count(), 2, "nothing is repeated on its own");
}

#[tokio::test]
async fn missing_token_counts_delay_a_reply_only_briefly() {
    let server = ModelServer::start().await;
    let finish = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}).to_string();
    server.script([say("Done.").then_event(finish).then_silence()]);
    let client = Client::at(server.url());
    let screen = Screen::default();
    let (request, mut sink) = (TestRequest::new(), screen.clone());
    let still = ManualClock::begin();
    let second = std::time::Duration::from_secs(1);
    let mut seconds = 0;
    let reply = still
        .drive(client.model.reply(request.ask(), &mut sink), second, || {
            let may = server.is_silent() && screen.text() == "Done.";
            seconds += u32::from(may);
            may
        })
        .await
        .unwrap();
    assert_eq!(reply.text, "Done.");
    assert!(reply.usage.unwrap().estimated);
    assert!(seconds < 30, "waited {seconds} s");
}

#[tokio::test]
async fn a_slow_answer_is_not_a_hung_one() {
    let server = ModelServer::start().await;
    let gates = [Gate::shut(), Gate::shut(), Gate::shut()];
    let mut answer = say("a");
    for (gate, text) in gates.iter().zip(["b", "c", "d"]) {
        answer = answer.then_wait(gate).then_say(text);
    }
    server.script([answer]);
    let client = Client::at(server.url());
    let screen = Screen::default();
    let (request, mut sink) = (TestRequest::new(), screen.clone());
    let still = ManualClock::begin();
    // 20 s after each delta and a minute in all; the idle timeout is 30 s.
    let step = std::time::Duration::from_secs(20);
    let (mut shown, mut waited) = (0, false);
    let reply = client.model.reply(request.ask(), &mut sink);
    let reply = still.drive(reply, step, || {
        if shown == gates.len() || screen.text().len() == shown {
            return false;
        }
        if waited {
            gates[shown].open();
            shown += 1;
        }
        waited = !waited;
        waited
    });
    assert_eq!(reply.await.unwrap().text, "abcd");
}
