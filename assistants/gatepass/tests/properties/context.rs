//! Property 9: the context survives the turns of a conversation and is cleared by a reset.

use frontdesk_core::conversation::Conversation;
use frontdesk_core::env::Env;
use frontdesk_core::store::ConversationPatch;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::bench::{Bench, Talk, guard};
use super::{any_entry, config, pass_number, runtime};
use crate::context::{ConversationContext, Mention};
use crate::replies::STATUSES;

fn any_mention() -> impl Strategy<Value = Mention> {
    prop_oneof![
        Just(Mention::Nothing),
        Just(Mention::Gone),
        (
            proptest::option::of(pass_number()),
            proptest::option::of("[0-9a-f]{8}")
        )
            .prop_map(|(number, id)| Mention::One { number, id }),
        proptest::collection::vec(pass_number(), 2..5).prop_map(Mention::Several),
    ]
}

// # Feature: gatepass-ai-agent, Property 9: Conversation Context Persistence
// design: 003 conversational context, conversation memory, GatePassAgent.reset_context
// design: 003 ConversationContext.current_pass_number, ConversationContext.last_operation
// design: 003 ConversationContext.pending_parameters, property 9, unit agent session
// design: 003 property tests
#[test]
fn conversation_context_persistence() {
    let runtime = runtime();
    let bench = runtime.block_on(Bench::new("http://127.0.0.1:9"));
    let given = (
        pass_number(),
        any::<bool>(),
        proptest::sample::select(&STATUSES[..]),
    );
    let steps = proptest::collection::vec((any_entry(), any_mention(), given, any::<bool>()), 1..6);
    proptest!(config(), |(steps in steps)| {
        runtime.block_on(async {
            let talk = bench.talk(guard()).await;
            let id = talk.conversation.id;
            let mut expected = ConversationContext::default();
            for (entry, mention, (number, flag, status), succeeds) in steps {
                let given = json!({ "pass_number": number, "is_returnable": flag, "status": status });
                expected = match succeeds {
                    true => expected.after(&entry.def.name, mention),
                    false => expected.interrupted(given.as_object().unwrap()),
                };
                keep(&bench, &talk, &expected).await;
                // Read again from the store, as the next turn does.
                let stored = bench.store.get(&talk.who, id).await.unwrap();
                prop_assert_eq!(&ConversationContext::of(&stored.metadata), &expected);
                let told = model_context(&bench, &talk, stored).await;
                if let Some(number) = &expected.current_pass_number {
                    prop_assert!(told.contains(number), "{}", told);
                }
            }
            let fresh = bench.store.reset(&talk.who, id).await.unwrap();
            prop_assert_eq!(ConversationContext::of(&fresh.metadata), ConversationContext::default());
            let told = model_context(&bench, &talk, fresh).await;
            prop_assert!(!told.contains("GP-") && !told.contains("last_operation"), "{}", told);
            Ok(())
        })?;
    });
}

/// Stores the context as a finished call does.
async fn keep(bench: &Bench, talk: &Talk, context: &ConversationContext) {
    let mut metadata: Map<String, Value> = serde_json::from_value(json!(context)).unwrap();
    if context.pending_parameters.is_empty() {
        metadata.insert("pending_parameters".to_owned(), Value::Null);
    }
    let patch = ConversationPatch {
        title: None,
        owner: None,
        phase: None,
        metadata,
        now: bench.env.now(),
    };
    bench
        .store
        .update(&talk.who, talk.conversation.id, patch)
        .await
        .unwrap();
}

async fn model_context(bench: &Bench, talk: &Talk, conversation: Conversation) -> String {
    bench.assistant.context[0]
        .load(&talk.who, &conversation)
        .await
        .unwrap()
}
