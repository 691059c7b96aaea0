//! The connection for `LISTEN` and `NOTIFY`. It reconnects by itself; every listener then
//! gets a gap.
//!
//! Notices are sent here in batches and asynchronously, not inside their transactions:
//! `NOTIFY` serialises the commits of the whole server.

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

use super::{Connection, PostgresShared, quoted};
use crate::{DbError, Listener, listen::ChannelRegistry, pool::closed};

/// Backoff between attempts to reconnect.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const MAX_PAUSE: Duration = Duration::from_secs(2);
/// Time to send queued notices when the database is closed.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum notices per batch.
const MAX_BATCH: usize = 512;
/// Minimum interval between batches: a busy server batches, an idle one sends at once.
const BATCH_INTERVAL: Duration = Duration::from_millis(10);

/// The listeners, and the task that serves them; started by the first request.
pub(super) struct NoticeConnection {
    shared: Arc<PostgresShared>,
    channels: Arc<ChannelRegistry>,
    task: Mutex<Task>,
}

enum Task {
    NotYet,
    Running {
        requests: mpsc::UnboundedSender<Request>,
        task: JoinHandle<()>,
    },
    Closed,
}

enum Request {
    /// Completed once the server knows all channels.
    Listen(oneshot::Sender<()>),
    /// Channel and payload. The queue needs no bound: each notice follows a commit, which
    /// takes far longer than sending it.
    Notify(String, String),
}

impl NoticeConnection {
    pub(super) fn new(shared: Arc<PostgresShared>) -> Self {
        NoticeConnection {
            shared,
            channels: Arc::default(),
            task: Mutex::new(Task::NotYet),
        }
    }

    /// Returns once the server has confirmed the subscription: no later notice is missed.
    pub(super) async fn listen(&self, channel: &str) -> Result<Listener, DbError> {
        let listener = self.channels.subscribe(channel);
        let (done, wait) = oneshot::channel();
        self.request(Request::Listen(done))?;
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

    /// Sends notices to every node.
    pub(super) fn notify(&self, notices: Vec<(String, String)>) {
        for (channel, payload) in notices {
            // After close, hints are not needed.
            self.request(Request::Notify(channel, payload)).ok();
        }
    }

    /// Sends the queued notices, then ends.
    pub(super) async fn close(&self) {
        let task = std::mem::replace(&mut *self.task(), Task::Closed);
        if let Task::Running { requests, mut task } = task {
            drop(requests);
            if tokio::time::timeout(CLOSE_TIMEOUT, &mut task)
                .await
                .is_err()
            {
                task.abort();
            }
        }
        self.channels.close();
    }

    fn task(&self) -> MutexGuard<'_, Task> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn request(&self, request: Request) -> Result<(), DbError> {
        let mut task = self.task();
        if let Task::NotYet = *task {
            let (requests, receive) = mpsc::unbounded_channel();
            let serving = ListenerTask {
                shared: Arc::clone(&self.shared),
                channels: Arc::clone(&self.channels),
                requests: receive,
                listens: Vec::new(),
                notices: Vec::new(),
            };
            *task = Task::Running {
                requests,
                task: tokio::spawn(serving.run()),
            };
        }
        match &*task {
            Task::Running { requests, .. } => {
                // If the task is gone, the dropped sender notifies the caller.
                requests.send(request).ok();
                Ok(())
            }
            Task::NotYet | Task::Closed => Err(closed(self.shared.connector.place())),
        }
    }
}

impl Drop for NoticeConnection {
    fn drop(&mut self) {
        if let Task::Running { task, .. } = &*self.task() {
            task.abort();
        }
    }
}

/// The state of the task: requests not yet processed.
struct ListenerTask {
    shared: Arc<PostgresShared>,
    channels: Arc<ChannelRegistry>,
    requests: mpsc::UnboundedReceiver<Request>,
    listens: Vec<oneshot::Sender<()>>,
    notices: Vec<(String, String)>,
}

/// The reason a connection is no longer served.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Disconnect {
    Lost,
    /// All notices are sent and no request can follow.
    Closed,
}

impl ListenerTask {
    /// Each iteration serves one connection.
    async fn run(mut self) {
        let mut pause = FIRST_PAUSE;
        let mut connected_before = false;
        loop {
            let (send, notifications) = mpsc::unbounded_channel();
            // On the first connection each listener has its own request in the queue.
            if let Ok(connection) = self.shared.connector.connect_listening(send).await
                && (!connected_before || listen_to_all(&connection, &self.channels).await)
            {
                pause = FIRST_PAUSE;
                if connected_before {
                    self.channels.publish_gap();
                }
                connected_before = true;
                if self.serve(&connection, notifications).await == Disconnect::Closed {
                    return;
                }
            }
            tracing::warn!(
                retry.after_ms = pause.as_millis() as u64,
                "the listener connection is down"
            );
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }

    async fn serve(
        &mut self,
        connection: &Connection,
        mut notifications: mpsc::UnboundedReceiver<tokio_postgres::Notification>,
    ) -> Disconnect {
        let mut wished = Vec::new();
        let Ok(say) = connection.client.prepare(NOTIFY).await else {
            return Disconnect::Lost;
        };
        let mut next = Instant::now();
        loop {
            // A new listener does not wait for the batch interval.
            let due = !self.listens.is_empty() || next <= Instant::now();
            if !self.notices.is_empty() && due {
                if !send_notices(connection, &say, &self.notices).await {
                    // Sent again on the next connection: a duplicate is better than a loss.
                    return Disconnect::Lost;
                }
                self.notices.clear();
                next = Instant::now() + BATCH_INTERVAL;
            }
            if !self.listens.is_empty() && !listen_to_all(connection, &self.channels).await {
                return Disconnect::Lost;
            }
            for done in self.listens.drain(..) {
                done.send(()).ok();
            }
            tokio::select! {
                notification = notifications.recv() => match notification {
                    Some(said) => self.channels.publish(said.channel(), said.payload()),
                    None => return Disconnect::Lost,
                },
                () = tokio::time::sleep_until(next), if !self.notices.is_empty() => {}
                count = self.requests.recv_many(&mut wished, MAX_BATCH) => {
                    if count == 0 {
                        let all = self.notices.is_empty()
                            || send_notices(connection, &say, &self.notices).await;
                        return if all { Disconnect::Closed } else { Disconnect::Lost };
                    }
                    for request in wished.drain(..) {
                        match request {
                            Request::Listen(done) => self.listens.push(done),
                            Request::Notify(channel, payload) => self.notices.push((channel, payload)),
                        }
                    }
                }
            }
        }
    }
}

/// Notices need no durability, so the commit does not wait for the disk.
const NOTIFY: &str = "SELECT set_config('synchronous_commit', 'off', true), \
     pg_notify(said.channel, said.payload) \
     FROM unnest($1::text[], $2::text[]) AS said (channel, payload)";

async fn send_notices(
    connection: &Connection,
    say: &Statement,
    notices: &[(String, String)],
) -> bool {
    let (channels, payloads): (Vec<&str>, Vec<&str>) = notices
        .iter()
        .map(|(channel, payload)| (channel.as_str(), payload.as_str()))
        .unzip();
    let said = connection.client.query(say, &[&channels, &payloads]).await;
    said.is_ok()
}

/// Repeating `LISTEN` for a known channel has no effect, so all channels are listed each
/// time; unused ones are dropped.
async fn listen_to_all(connection: &Connection, channels: &ChannelRegistry) -> bool {
    let mut sql = "UNLISTEN *".to_owned();
    for name in channels.names() {
        sql.push_str("; LISTEN ");
        sql.push_str(&quoted(&name));
    }
    connection.client.batch_execute(&sql).await.is_ok()
}
