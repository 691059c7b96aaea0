//! The connection that listens and speaks. It comes back by itself after a loss, and everyone who
//! listens is then told that something may have been missed.
//!
//! Notices are sent here, many at a time and without waiting for the disk, and not inside the
//! transactions they are about: `NOTIFY` makes the commits of a whole server wait for each other.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::Instant,
};
use tokio_postgres::Statement;

use super::{Connection, Shared, quoted};
use crate::{DbError, Listener, listen::Hub, pool::closed};

/// Between attempts to come back.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// What waits to be said when the database is closed has this long to go out.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Notices that travel together.
const TOGETHER: usize = 512;
/// Between two sayings: on a busy server notices wait for each other, on a quiet one nobody waits.
const BETWEEN: Duration = Duration::from_millis(10);

/// Those who listen, and the task that serves them from the first wish on.
pub(super) struct Ears {
    shared: Arc<Shared>,
    hub: Arc<Hub>,
    task: Mutex<Task>,
}

enum Task {
    NotYet,
    Running {
        wishes: mpsc::UnboundedSender<Wish>,
        task: JoinHandle<()>,
    },
    Closed,
}

enum Wish {
    /// Answered once the server knows all channels.
    Listen(oneshot::Sender<()>),
    /// A channel and what is said on it. The queue needs no bound: each notice is behind a commit,
    /// and many of them are sent in the time that one takes.
    Say(String, String),
}

impl Ears {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Ears {
            shared,
            hub: Arc::default(),
            task: Mutex::new(Task::NotYet),
        }
    }

    /// Returns once the server knows that we listen: nothing said later is missed.
    pub(super) async fn listen(&self, channel: &str) -> Result<Listener, DbError> {
        let listener = self.hub.subscribe(channel);
        let (done, wait) = oneshot::channel();
        self.wish(Wish::Listen(done))?;
        let patience = self.shared.options.connect_timeout;
        match tokio::time::timeout(patience, wait).await {
            Ok(Ok(())) => Ok(listener),
            Ok(Err(_)) => Err(closed(self.shared.connector.place())),
            Err(_) => Err(DbError::Unavailable {
                place: self.shared.connector.place().to_owned(),
                reason: format!(
                    "no connection to listen on within {patience:?}; check that it is running"
                ),
            }),
        }
    }

    /// Tells every node what was committed.
    pub(super) fn say(&self, notices: Vec<(String, String)>) {
        for (channel, payload) in notices {
            // After the end nobody needs a hint.
            self.wish(Wish::Say(channel, payload)).ok();
        }
    }

    /// Says what waits to be said, then ends.
    pub(super) async fn close(&self) {
        let task = std::mem::replace(&mut *self.task(), Task::Closed);
        if let Task::Running { wishes, mut task } = task {
            drop(wishes);
            if tokio::time::timeout(LAST_WORDS, &mut task).await.is_err() {
                task.abort();
            }
        }
        self.hub.close();
    }

    fn task(&self) -> MutexGuard<'_, Task> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wish(&self, wish: Wish) -> Result<(), DbError> {
        let mut task = self.task();
        if let Task::NotYet = *task {
            let (wishes, receive) = mpsc::unbounded_channel();
            let serving = Serving {
                shared: Arc::clone(&self.shared),
                hub: Arc::clone(&self.hub),
                wishes: receive,
                listens: Vec::new(),
                notices: Vec::new(),
            };
            *task = Task::Running {
                wishes,
                task: tokio::spawn(serving.keep_on()),
            };
        }
        match &*task {
            Task::Running { wishes, .. } => {
                // Were the task gone, the dropped sender would tell the caller.
                wishes.send(wish).ok();
                Ok(())
            }
            Task::NotYet | Task::Closed => Err(closed(self.shared.connector.place())),
        }
    }
}

impl Drop for Ears {
    fn drop(&mut self) {
        if let Task::Running { task, .. } = &*self.task() {
            task.abort();
        }
    }
}

/// The task: what it was asked to do and has not done yet.
struct Serving {
    shared: Arc<Shared>,
    hub: Arc<Hub>,
    wishes: mpsc::UnboundedReceiver<Wish>,
    listens: Vec<oneshot::Sender<()>>,
    notices: Vec<(String, String)>,
}

/// Why one connection is served no longer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    Lost,
    /// Everything was said and nobody can wish for more.
    Closed,
}

impl Serving {
    /// One round per connection.
    async fn keep_on(mut self) {
        let mut pause = FIRST_PAUSE;
        let mut connected_before = false;
        loop {
            let (send, notifications) = mpsc::unbounded_channel();
            // The first time each listener has a wish of its own, behind what was said before it.
            if let Ok(connection) = self.shared.connector.connect_listening(send).await
                && (!connected_before || listen_to_all(&connection, &self.hub).await)
            {
                pause = FIRST_PAUSE;
                if connected_before {
                    self.hub.publish_gap();
                }
                connected_before = true;
                if self.serve(&connection, notifications).await == Left::Closed {
                    return;
                }
            }
            tracing::warn!(
                retry.after_ms = pause.as_millis() as u64,
                "the connection that listens is down"
            );
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn serve(
        &mut self,
        connection: &Connection,
        mut notifications: mpsc::UnboundedReceiver<tokio_postgres::Notification>,
    ) -> Left {
        let mut wished = Vec::new();
        let Ok(say) = connection.client.prepare(SAY).await else {
            return Left::Lost;
        };
        let mut next = Instant::now();
        loop {
            // Whoever begins to listen does not wait, and does not hear what was said before.
            let due = !self.listens.is_empty() || next <= Instant::now();
            if !self.notices.is_empty() && due {
                if !say_all(connection, &say, &self.notices).await {
                    // Said again on the next connection: once too often is better than never.
                    return Left::Lost;
                }
                self.notices.clear();
                next = Instant::now() + BETWEEN;
            }
            if !self.listens.is_empty() && !listen_to_all(connection, &self.hub).await {
                return Left::Lost;
            }
            for done in self.listens.drain(..) {
                done.send(()).ok();
            }
            tokio::select! {
                notification = notifications.recv() => match notification {
                    Some(said) => self.hub.publish(said.channel(), said.payload()),
                    None => return Left::Lost,
                },
                () = tokio::time::sleep_until(next), if !self.notices.is_empty() => {}
                count = self.wishes.recv_many(&mut wished, TOGETHER) => {
                    if count == 0 {
                        let all = self.notices.is_empty()
                            || say_all(connection, &say, &self.notices).await;
                        return if all { Left::Closed } else { Left::Lost };
                    }
                    for wish in wished.drain(..) {
                        match wish {
                            Wish::Listen(done) => self.listens.push(done),
                            Wish::Say(channel, payload) => self.notices.push((channel, payload)),
                        }
                    }
                }
            }
        }
    }
}

/// A hint that a power cut loses is missed by nobody: it does not wait for the disk.
const SAY: &str = "SELECT set_config('synchronous_commit', 'off', true), \
     pg_notify(said.channel, said.payload) \
     FROM unnest($1::text[], $2::text[]) AS said (channel, payload)";

async fn say_all(connection: &Connection, say: &Statement, notices: &[(String, String)]) -> bool {
    let (channels, payloads): (Vec<&str>, Vec<&str>) = notices
        .iter()
        .map(|(channel, payload)| (channel.as_str(), payload.as_str()))
        .unzip();
    let said = connection.client.query(say, &[&channels, &payloads]).await;
    said.is_ok()
}

/// `LISTEN` again to a known channel does nothing, so all of them are named each time; channels that
/// nobody wants any more are forgotten with them.
async fn listen_to_all(connection: &Connection, hub: &Hub) -> bool {
    let mut sql = "UNLISTEN *".to_owned();
    for name in hub.names() {
        sql.push_str("; LISTEN ");
        sql.push_str(&quoted(&name));
    }
    connection.client.batch_execute(&sql).await.is_ok()
}
