//! Serves one of our own models over HTTP, to test a client against a model that
//! understands the request.

use std::sync::Arc;

use bytes::Bytes;
use frontdesk_core::message::Message;
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelSettings, Prompt, Reply};
use frontdesk_core::tool::ToolDef;
use frontdesk_core::toolbox::Offer;

use super::answer::{calls, say, status};
use super::{Answer, ModelServer, Request};

impl ModelServer {
    /// Answers with this model. Tool fields that the protocol does not carry (examples,
    /// effects, titles) come from `tools`.
    pub fn answer_with_model(&self, model: Arc<dyn Model>, tools: Vec<ToolDef>) -> &Self {
        self.otherwise_with(move |request| {
            // The connection's task must not wait for another task, so the model runs on
            // its own thread.
            let reply = std::thread::scope(|scope| {
                let worker = scope.spawn(|| reply_to(model.as_ref(), &tools, request));
                worker.join().ok().flatten()
            });
            match reply {
                Some(reply) => answer(&reply),
                None => status(500),
            }
        })
    }
}

fn reply_to(model: &dyn Model, tools: &[ToolDef], request: &Request) -> Option<Reply> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().ok()?;
    let named = request.tools();
    let offered = tools
        .iter()
        .filter(|tool| named.iter().any(|n| *n == tool.name));
    let offer = Offer {
        json: Bytes::new(),
        tools: offered.cloned().collect(),
        elsewhere: Vec::new(),
        phrasings: std::sync::Arc::default(),
    };
    let settings = ModelSettings {
        model: "served".to_owned(),
        temperature: None,
        max_tokens: None,
    };
    let wires: Vec<String> = request
        .messages()
        .iter()
        .map(|message: &Message| message.to_openai_format().to_string())
        .collect();
    let (system, history) = (Bytes::new(), Bytes::new());
    let tail = wires.join(",");
    let ask = Ask {
        assistant: "served",
        prompt: Prompt {
            system: &system,
            history: &history,
            tail: tail.as_bytes(),
        },
        offer: &offer,
        settings: &settings,
        reply_schema: None,
        summaries: &[],
    };
    runtime.block_on(model.reply(ask, &mut NullSink)).ok()
}

fn answer(reply: &Reply) -> Answer {
    let called = reply.calls.iter().map(|call| {
        let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
        (call.name.as_str(), arguments)
    });
    let called: Vec<_> = called.collect();
    if called.is_empty() {
        say(reply.text.clone())
    } else {
        calls(called)
    }
}

struct NullSink;

impl DeltaSink for NullSink {
    fn text(&mut self, _: &str) {}
}
