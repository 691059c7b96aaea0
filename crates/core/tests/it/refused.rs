//! The log entry of a call in another person's name, and the remembered part of an incomplete call.

use std::io::Write;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::assistant::ContextLoader;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::model::ModelErrorKind;
use frontdesk_core::tool::{ToolDef, ToolSpec};
use frontdesk_core::toolbox::Toolbox;
use serde_json::{Map, Value, json};

use crate::kit::lab::SECRET;
use crate::kit::model::{call, calls, says};
use crate::kit::runtime::Runtime;

/// Captured log output.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A loader that remembers the given arguments.
struct RememberingLoader;

#[async_trait]
impl ContextLoader for RememberingLoader {
    async fn load(&self, _: &Principal, _: &Conversation) -> Option<String> {
        None
    }

    fn incomplete(
        &self,
        _: &Conversation,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> Map<String, Value> {
        Map::from_iter([(tool.to_owned(), json!(arguments))])
    }
}

/// A runtime whose only tool has an argument for the acting person.
fn runtime() -> Runtime {
    let mut runtime = Runtime::new();
    let def = ToolDef {
        name: "sign_letter".into(),
        parameters: json!({
            "type": "object",
            "properties": {
                "act": { "type": "string" },
                "ticket": { "type": "string", "pattern": "^T-[0-9]+$" },
                "name": { "type": "string" }
            },
            "required": ["ticket", "name"],
            "additionalProperties": false
        }),
        spec: ToolSpec::idempotent("Signs a letter.").own_name("name"),
    };
    let lab = Arc::clone(&runtime.lab);
    let assistant = Arc::get_mut(&mut runtime.assistant).unwrap();
    assistant.toolbox = Toolbox::builder().data_tool(def, lab).build().unwrap();
    assistant.context = vec![Arc::new(RememberingLoader)];
    runtime
}

/// The log output of `work`.
fn logging(work: impl FnOnce()) -> String {
    let log = Log::default();
    let written = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_writer(move || written.clone())
        .finish();
    tracing::subscriber::with_default(subscriber, work);
    let bytes = log.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

/// The log output while the model signs with these arguments.
fn logged(arguments: Value) -> String {
    let runtime = runtime();
    let script = [
        calls([call("a", "sign_letter", arguments)]),
        says("Signed."),
    ];
    let lines = logging(|| {
        runtime.ask("Sign T-7", script);
    });
    let [only] = runtime.finished().try_into().unwrap();
    assert!(only.ok, "{}", only.told);
    lines
}

/// The operator sees the recruiting design's wording of a failure; the person reads what to do.
// design: 000 client failure, ToolExecutionError, strategy 1
#[test]
fn failures_are_logged_in_the_designs_words() {
    let runtime = Runtime::new();
    let fail = calls([call("a", "look_up", json!({ "act": "fail" }))]);
    let lines = logging(|| {
        runtime.ask("Look", [fail, says("Sorry.")]);
    });
    let expected = format!("Tool 'look_up' failed: {SECRET}");
    assert!(lines.contains(&expected), "{lines}");
    assert!(!runtime.finished()[0].told.contains(SECRET));

    let lines = logging(|| {
        let down = says("").fail(ModelErrorKind::Unavailable);
        runtime.ask("Hello", [down]);
    });
    assert!(lines.contains("OpenAI API call failed: "), "{lines}");
    assert!(lines.contains("error.kind=Unavailable"), "{lines}");
}

#[test]
fn another_name_in_the_arguments_is_ignored_and_logged_without_repeating_it() {
    for name in [json!("The Director"), json!(7), json!("")] {
        let lines = logged(json!({ "ticket": "T-7", "name": name }));
        let [line] = lines.lines().collect::<Vec<_>>().try_into().unwrap();
        assert!(line.contains("WARN"), "{line}");
        assert!(
            line.contains("another name than the signed-in person's was given and ignored"),
            "{line}"
        );
        assert!(line.contains("tool=\"sign_letter\""), "{line}");
        assert!(line.contains("profile="), "{line}");
        assert!(!line.contains("Director"), "{line}");
    }
    assert_eq!(logged(json!({ "ticket": "T-7", "name": "Hanna" })), "");
    assert_eq!(logged(json!({ "ticket": "T-7" })), "");
}

#[test]
fn arguments_of_a_refused_call_stay_in_the_conversation() {
    let runtime = runtime();
    let given = json!({ "ticket": "seven", "name": "x" });
    let script = [
        calls([
            call("a", "sign_letter", given.clone()),
            call("b", "no_such_tool", json!({ "ticket": "T-1" })),
        ]),
        says("Which ticket?"),
    ];
    runtime.ask("Sign", script);
    let metadata = runtime.store.state().conversation.metadata.clone();
    assert_eq!(metadata.get("sign_letter"), Some(&given));
    assert_eq!(
        metadata.get("no_such_tool"),
        None,
        "only what can be completed"
    );
}
