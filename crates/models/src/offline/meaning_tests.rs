//! Meaning decides only where words do not, is waited for, never orders a write, and its
//! absence is survived.

use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;
use bytes::Bytes;
use frontdesk_core::message::Message;
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelSettings, Prompt, Reply};
use frontdesk_core::toolbox::Offer;
use tokio::sync::Semaphore;

use super::super::OfflineModel;
use super::super::tests::talk::joined;
use super::super::tests::toolboxes;
use super::*;

const REQUEST: &str = "full of beans today";

/// Gives the request the vector of one title, and every other text another one.
struct Likens {
    title: String,
    /// Vectors come when it has a permit.
    loaded: Semaphore,
    fails: bool,
    asked: Mutex<Vec<String>>,
}

impl Likens {
    /// To the title of this tool.
    fn to(tool: &str) -> Self {
        let offer = toolboxes::named("admin");
        let tool = offer.tools.iter().find(|def| def.name == tool).unwrap();
        Self {
            title: tool.title(),
            loaded: Semaphore::new(Semaphore::MAX_PERMITS),
            fails: false,
            asked: Mutex::default(),
        }
    }
}

#[async_trait]
impl Embedder for Likens {
    fn model(&self) -> &str {
        "likens"
    }

    fn dimension(&self) -> usize {
        2
    }

    async fn embed(&self, texts: &[&str], _: Purpose) -> Result<Vec<Embedding>, EmbedError> {
        let _permit = self.loaded.acquire().await.unwrap();
        let asked = texts.iter().map(|text| (*text).to_owned());
        self.asked.lock().unwrap().extend(asked);
        if self.fails {
            return Err(EmbedError::Unavailable("gone".to_owned()));
        }
        let vector = |text: &&str| {
            let same = *text == REQUEST || *text == self.title;
            let values = if same { vec![1.0, 0.0] } else { vec![0.2, 1.0] };
            Embedding::new(values, 2)
        };
        texts.iter().map(vector).collect()
    }
}

struct Unheard;

impl DeltaSink for Unheard {
    fn text(&mut self, _: &str) {}
}

async fn reply(model: &OfflineModel, offer: &Offer, words: &str) -> Reply {
    let (system, history) = (Bytes::new(), Bytes::new());
    let settings = ModelSettings {
        model: "offline".to_owned(),
        temperature: None,
        max_tokens: None,
    };
    let tail = joined(&[Message::user(words)]);
    let ask = Ask {
        assistant: "test",
        prompt: Prompt {
            system: &system,
            history: &history,
            tail: &tail,
        },
        offer,
        settings: &settings,
        reply_schema: None,
        summaries: &[],
    };
    model.reply(ask, &mut Unheard).await.unwrap()
}

fn model(likens: Likens) -> (OfflineModel, Arc<Likens>) {
    let likens = Arc::new(likens);
    let embedder: Arc<dyn Embedder> = Arc::clone(&likens) as _;
    (OfflineModel::default().with_embedder(embedder), likens)
}

#[tokio::test]
async fn what_words_leave_open_meaning_decides() {
    let offer = toolboxes::named("admin");
    let (model, likens) = model(Likens::to("list_pending_gate_passes"));
    let decided = reply(&model, &offer, REQUEST).await;
    assert_eq!(decided.calls.len(), 1, "{decided:?}");
    assert_eq!(decided.calls[0].name, "list_pending_gate_passes");
    // What tools teach is embedded once; what people say is not kept.
    let first = likens.asked.lock().unwrap().len();
    reply(&model, &offer, REQUEST).await;
    let asked = likens.asked.lock().unwrap();
    assert_eq!(asked[first..], [REQUEST.to_owned()]);
}

#[tokio::test]
async fn a_write_is_proposed_and_never_made_by_meaning() {
    let offer = toolboxes::named("admin");
    for tool in ["delete_gate_pass", "approve_gate_pass"] {
        let (model, likens) = model(Likens::to(tool));
        let asked = reply(&model, &offer, REQUEST).await;
        assert!(asked.calls.is_empty(), "{asked:?}");
        assert!(asked.text.contains(&likens.title), "{asked:?}");
    }
}

#[tokio::test]
async fn where_words_decide_and_in_other_languages_it_is_not_asked() {
    let offer = toolboxes::named("admin");
    let (model, likens) = model(Likens::to("list_pending_gate_passes"));
    reply(&model, &offer, "show the pending gate passes").await;
    reply(&model, &offer, "сколько звёзд на небе?").await;
    reply(&model, &offer, "hello").await;
    assert_eq!(*likens.asked.lock().unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn without_vectors_words_alone_answer() {
    let offer = toolboxes::named("admin");
    let mut broken = Likens::to("list_pending_gate_passes");
    broken.fails = true;
    let (model, _) = model(broken);
    let without = reply(&OfflineModel::default(), &offer, REQUEST).await;
    assert_eq!(reply(&model, &offer, REQUEST).await, without);
}

#[test]
fn weights_that_are_still_loading_are_waited_for() {
    let offer = toolboxes::named("admin");
    let mut loading = Likens::to("list_pending_gate_passes");
    loading.loaded = Semaphore::new(0);
    let (model, likens) = model(loading);
    let mut context = Context::from_waker(Waker::noop());
    let mut answer = std::pin::pin!(reply(&model, &offer, REQUEST));
    for _ in 0..10 {
        assert!(answer.as_mut().poll(&mut context).is_pending());
    }
    likens.loaded.add_permits(1);
    for _ in 0..1_000 {
        if let Poll::Ready(decided) = answer.as_mut().poll(&mut context) {
            assert_eq!(decided.calls[0].name, "list_pending_gate_passes");
            return;
        }
    }
    panic!("the answer never came");
}
