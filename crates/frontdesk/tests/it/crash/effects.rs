//! The world outside: counts what tools did to it, and may keep them waiting.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use frontdesk_testkit::model_server::Gate;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Where a turn can be stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Point {
    /// The model was asked and has not called the tool: nothing of the call is recorded.
    BeforeIntent,
    /// The call is recorded as started; nothing was done.
    AfterIntent,
    /// It was done, and the tool does not know yet.
    DuringEffect,
    /// The tool knows; its result is not recorded.
    AfterEffect,
    /// The result is recorded and the model is asked again.
    AfterResult,
    /// The whole answer was said; the end is not recorded.
    BeforeEnd,
}

pub const POINTS: [Point; 6] = [
    Point::BeforeIntent,
    Point::AfterIntent,
    Point::DuringEffect,
    Point::AfterEffect,
    Point::AfterResult,
    Point::BeforeEnd,
];

/// Turns that are to be stopped, each once, by the tag of their message.
#[derive(Clone, Default)]
pub struct Holds(Arc<Inner>);

#[derive(Default)]
struct Inner {
    armed: Mutex<HashMap<String, (Point, Gate)>>,
    reached: watch::Sender<usize>,
}

impl Holds {
    /// The turn of this message stops when it first gets there, until the gate opens.
    pub fn arm(&self, tag: &str, point: Point) -> Gate {
        let gate = Gate::shut();
        self.armed().insert(tag.to_owned(), (point, gate.clone()));
        gate
    }

    /// The gate to wait at, if this turn is to stop here.
    pub fn stop_here(&self, tag: &str, at: Point) -> Option<Gate> {
        let mut armed = self.armed();
        match armed.get(tag) {
            Some((point, _)) if *point == at => {}
            Some(_) | None => return None,
        }
        let (_, gate) = armed.remove(tag)?;
        self.0.reached.send_modify(|count| *count += 1);
        Some(gate)
    }

    /// Resolves once so many turns have stopped, counted from the beginning.
    pub async fn reached(&self, count: usize) {
        let mut reached = self.0.reached.subscribe();
        let _ = reached.wait_for(|stopped| *stopped >= count).await;
    }

    fn armed(&self) -> MutexGuard<'_, HashMap<String, (Point, Gate)>> {
        self.0.armed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Something that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    pub tool: String,
    /// Turn and call.
    pub key: String,
    pub tag: String,
}

/// Counts effects on a loopback port.
pub struct Effects {
    pub address: String,
    log: Arc<Log>,
}

#[derive(Default)]
struct Log {
    done: Mutex<Vec<Done>>,
    /// How many were done whose tool has not heard of it.
    under_way: watch::Sender<usize>,
    /// How long a tool waits to hear of it.
    linger: Mutex<Duration>,
}

impl Effects {
    pub async fn start(holds: Holds) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let log = Arc::new(Log::default());
        let shared = Arc::clone(&log);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (holds, log) = (holds.clone(), Arc::clone(&shared));
                // Whoever asks may be killed at any time.
                tokio::spawn(async move { serve(stream, &holds, &log).await });
            }
        });
        Self { address, log }
    }

    pub fn done(&self) -> Vec<Done> {
        self.log.done.lock().unwrap().clone()
    }

    /// From now on a tool hears only after this time that its effect happened.
    pub fn linger(&self, time: Duration) {
        *self.log.linger.lock().unwrap() = time;
    }

    /// Resolves while something was done and its tool does not know yet.
    pub async fn under_way(&self) {
        let mut under_way = self.log.under_way.subscribe();
        let _ = under_way.wait_for(|count| *count > 0).await;
    }
}

async fn serve(stream: TcpStream, holds: &Holds, log: &Log) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    stream.read_line(&mut line).await.ok()?;
    let mut words = line.split_whitespace();
    let (point, tool, key, tag) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let point = match point {
        "before" => Point::AfterIntent,
        "effect" => {
            log.done.lock().unwrap().push(Done {
                tool: tool.to_owned(),
                key: key.to_owned(),
                tag: tag.to_owned(),
            });
            Point::DuringEffect
        }
        _ => Point::AfterEffect,
    };
    if let Some(gate) = holds.stop_here(tag, point) {
        gate.passed().await;
    }
    if point == Point::DuringEffect {
        let linger = *log.linger.lock().unwrap();
        log.under_way.send_modify(|count| *count += 1);
        tokio::time::sleep(linger).await;
        log.under_way.send_modify(|count| *count -= 1);
    }
    stream.write_all(b"on\n").await.ok()
}
