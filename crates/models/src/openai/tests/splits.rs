//! Any split of a stream yields the same reply.

use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{Finish, Model, Reply, Usage};
use frontdesk_testkit::model_server::{ModelServer, calls, say};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::{Client, Screen, TestRequest};

fn expected(text: &str, wanted: &[(String, Value)], first_id: usize) -> Reply {
    let call = |(at, (name, arguments)): (usize, &(String, Value))| ToolCall {
        id: format!("call_{}", first_id + at),
        name: name.clone(),
        arguments: arguments.to_string(),
    };
    Reply {
        text: text.to_owned(),
        calls: wanted.iter().enumerate().map(call).collect(),
        finish: if wanted.is_empty() {
            Finish::Stop
        } else {
            Finish::ToolCalls
        },
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

#[test]
fn any_split_of_a_valid_stream_into_chunks_yields_the_same_reply() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let server = runtime.block_on(ModelServer::start());
    let client = Client::at(server.url());
    let request = TestRequest::new();
    let calls_seen = std::cell::Cell::new(0);
    let strategy = (
        any::<String>(),
        prop::collection::vec(
            (
                "[a-z_]{1,8}",
                any::<String>().prop_map(|s| json!({"value": s})),
            ),
            0..3,
        ),
        prop::collection::vec(0usize..4000, 0..30),
        1usize..8,
    );
    let mut runner = TestRunner::new(Config::with_cases(150));
    let result = runner.run(&strategy, |(text, wanted, cuts, delta)| {
        let list = wanted
            .iter()
            .map(|(name, arguments)| (name.as_str(), arguments.clone()));
        let answer = say(text.clone()).followed_by(calls(list)).deltas_of(delta);
        server.script([answer.writes_at(cuts)]);
        let screen = Screen::default();
        let mut sink = screen.clone();
        let reply = runtime.block_on(client.model.reply(request.ask(), &mut sink));
        let first_id = calls_seen.get() + 1;
        calls_seen.set(calls_seen.get() + wanted.len());
        prop_assert_eq!(reply, Ok(expected(&text, &wanted, first_id)));
        prop_assert_eq!(screen.text(), text);
        Ok(())
    });
    drop(runtime.enter());
    result.unwrap();
}
