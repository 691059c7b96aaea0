//! Against the real API, only where a key is at hand: the same errands through real function calling.

use frontdesk::runtime::{NewConversationRequest, Saying, Started};
use frontdesk_core::event::Event;
use frontdesk_core::store::Artifacts;

use crate::harness::{Backing, TODAY, TestApp};

/// The key of this machine, if it has one. Settings are read in `config`; this only asks whether to run at all.
fn key() -> Option<String> {
    let mut all = std::env::vars();
    all.find(|(name, value)| name == "OPENAI_API_KEY" && !value.is_empty())
        .map(|(_, value)| value)
}

// design: 000 live tests
#[tokio::test(flavor = "multi_thread")]
async fn a_requirement_profile_through_real_function_calling() {
    let Some(key) = key() else {
        println!("skipped: OPENAI_API_KEY is not set");
        return;
    };
    let settings = [("model.api_key", key.as_str())];
    let url = "https://api.openai.com/v1";
    let test = TestApp::start_on(TODAY, Backing::Sqlite, url, &settings).await;
    let who = test.person("recruiter").await;
    let new = NewConversationRequest {
        assistant: "tata".to_owned(),
        ..NewConversationRequest::default()
    };
    let runtime = &test.app.runtime;
    let talk = runtime.start_conversation(&who, new).await.unwrap();
    let saying = Saying {
        content: "I need to hire a senior Python developer for our backend team. \
                  Must have 5+ years Python, Django experience, and AWS knowledge."
            .to_owned(),
        ..Saying::default()
    };
    let Started { mut watch, .. } = runtime.say(&who, talk.id, saying).await.unwrap();
    let mut answer = String::new();
    while let Some(entry) = watch.next().await.unwrap() {
        if let Event::TextDelta { text } = entry.event {
            answer.push_str(&text);
        }
    }
    let lower = answer.to_lowercase();
    assert!(
        lower.contains("profile") || lower.contains("requirement"),
        "{answer}"
    );
    let kept = runtime.store().all(&who, talk.id).await.unwrap();
    assert!(
        kept.iter()
            .any(|(_, mark)| mark.kind == "requirement_profile")
    );
}
