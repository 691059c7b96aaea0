//! Load: people who send message after message, whatever happens to the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::StatusCode;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::clients::{ClientLog, Person, SendResult};
use super::model::TOOLS;
use super::place::{in_time, pause};
use super::seed::Seed;

/// Messages in one conversation before the next one is begun.
const MESSAGES: usize = 4;

pub struct Load {
    pub log: ClientLog,
    url: watch::Sender<String>,
    stop: CancellationToken,
    people: JoinSet<()>,
}

impl Load {
    pub fn start(writers: usize, seed: &mut Seed, url: &str) -> Self {
        Self::of(&TOOLS, writers, seed, url)
    }

    /// Only messages about these tools.
    pub fn of(tools: &'static [&'static str], writers: usize, seed: &mut Seed, url: &str) -> Self {
        let log = ClientLog::default();
        let url = watch::Sender::new(url.to_owned());
        let stop = CancellationToken::new();
        let tags = Arc::new(AtomicUsize::new(0));
        let mut people = JoinSet::new();
        for number in 0..writers {
            let writer = Writer {
                person: Person::new(number, &log),
                url: url.subscribe(),
                stop: stop.clone(),
                tags: Arc::clone(&tags),
                tools,
                seed: seed.split(),
            };
            people.spawn(writer.write());
        }
        Self {
            log,
            url,
            stop,
            people,
        }
    }

    /// The server is somewhere else now.
    pub fn moved(&self, url: &str) {
        self.url.send_replace(url.to_owned());
    }

    /// Lets everybody send what they have begun, and go.
    pub async fn end(mut self) -> ClientLog {
        self.stop.cancel();
        let all_gone = async {
            while let Some(gone) = self.people.join_next().await {
                gone.unwrap();
            }
        };
        in_time("everybody's last message is taken", all_gone).await;
        self.log
    }
}

struct Writer {
    person: Person,
    url: watch::Receiver<String>,
    stop: CancellationToken,
    tags: Arc<AtomicUsize>,
    tools: &'static [&'static str],
    seed: Seed,
}

impl Writer {
    async fn write(mut self) {
        while !self.stop.is_cancelled() {
            let tool = *self.seed.pick(self.tools);
            let assistant = match tool {
                "note" => "notes",
                _ => "effects",
            };
            let url = self.url.borrow().clone();
            let Some(conversation) = self.person.conversation(&url, assistant).await else {
                pause().await;
                continue;
            };
            for _ in 0..MESSAGES {
                let tool = match tool {
                    "note" => tool,
                    _ => loop {
                        let tool = *self.seed.pick(self.tools);
                        if tool != "note" {
                            break tool;
                        }
                    },
                };
                let tag = self.tags.fetch_add(1, Ordering::SeqCst);
                if !self.say(conversation, &format!("t{tag} {tool}")).await {
                    break;
                }
            }
        }
    }

    /// Sends one message until the server says what became of it. `false` when this
    /// conversation is of no more use.
    async fn say(&mut self, conversation: uuid::Uuid, content: &str) -> bool {
        loop {
            let url = self.url.borrow().clone();
            match self.person.say(&url, conversation, content).await {
                SendResult::Accepted { whole } => return whole && !self.stop.is_cancelled(),
                // The turn before was cut off and nobody has gone on with it yet, or a
                // person may not write as many notes as this.
                SendResult::Refused(StatusCode::CONFLICT | StatusCode::TOO_MANY_REQUESTS) => {
                    return false;
                }
                SendResult::Refused(status) if status.is_server_error() => pause().await,
                SendResult::Refused(status) => panic!("{content}: {status}"),
                SendResult::Lost => pause().await,
            }
        }
    }
}
