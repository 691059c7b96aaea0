//! The connection that listens. It comes back by itself after a loss, and everyone who listens is
//! then told that something may have been missed.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{mpsc, oneshot},
    task::AbortHandle,
};

use super::{Connection, Shared, quoted};
use crate::{DbError, Listener, listen::Hub, pool::closed};

/// Between attempts to come back.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Those who listen, and the task that serves them from the first one on.
pub(super) struct Ears {
    shared: Arc<Shared>,
    hub: Arc<Hub>,
    task: Mutex<Task>,
}

enum Task {
    NotYet,
    Running {
        wishes: mpsc::UnboundedSender<oneshot::Sender<()>>,
        task: AbortHandle,
    },
    Closed,
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
        self.wish(done)?;
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

    pub(super) fn close(&self) {
        let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        if let Task::Running { task, .. } = &*task {
            task.abort();
        }
        *task = Task::Closed;
        self.hub.close();
    }

    fn wish(&self, done: oneshot::Sender<()>) -> Result<(), DbError> {
        let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        if let Task::NotYet = *task {
            let (wishes, receive) = mpsc::unbounded_channel();
            let listening = tokio::spawn(keep_listening(
                Arc::clone(&self.shared),
                Arc::clone(&self.hub),
                receive,
            ));
            *task = Task::Running {
                wishes,
                task: listening.abort_handle(),
            };
        }
        match &*task {
            Task::Running { wishes, .. } => {
                // Were the task gone, the dropped sender would tell the caller.
                wishes.send(done).ok();
                Ok(())
            }
            Task::NotYet | Task::Closed => Err(closed(self.shared.connector.place())),
        }
    }
}

impl Drop for Ears {
    fn drop(&mut self) {
        self.close();
    }
}

/// One round per connection. Ends by being aborted.
async fn keep_listening(
    shared: Arc<Shared>,
    hub: Arc<Hub>,
    mut wishes: mpsc::UnboundedReceiver<oneshot::Sender<()>>,
) {
    let mut pause = FIRST_PAUSE;
    let mut waiting = Vec::new();
    let mut connected_before = false;
    loop {
        let (send, mut notifications) = mpsc::unbounded_channel();
        if let Ok(connection) = shared.connector.connect_listening(send).await
            && listen_to_all(&connection, &hub).await
        {
            pause = FIRST_PAUSE;
            if connected_before {
                hub.publish_gap();
            }
            connected_before = true;
            loop {
                for done in waiting.drain(..) {
                    oneshot::Sender::send(done, ()).ok();
                }
                tokio::select! {
                    notification = notifications.recv() => match notification {
                        Some(said) => hub.publish(said.channel(), said.payload()),
                        None => break,
                    },
                    wish = wishes.recv() => {
                        waiting.extend(wish);
                        if !listen_to_all(&connection, &hub).await {
                            break;
                        }
                    }
                }
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
