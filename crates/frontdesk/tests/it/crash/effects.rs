//! The effects server: counts the effects of tools, and can hold a tool by not answering.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use frontdesk_testkit::model_server::Gate;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Points at which a turn can be stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Point {
    /// The model was asked and has not called the tool: the journal has nothing of the call.
    BeforeIntent,
    /// The call is journalled as started; its effect has not happened.
    AfterIntent,
    /// The effect happened, and the tool has no answer yet.
    DuringEffect,
    /// The tool has its answer; the result is not journalled.
    AfterEffect,
    /// The result is journalled and the model is asked again.
    AfterResult,
    /// The complete answer was streamed; the end is not journalled.
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

/// Turns to stop, each once, by the tag of their message.
#[derive(Clone, Default)]
pub struct Holds(Arc<Inner>);

#[derive(Default)]
struct Inner {
    armed: Mutex<HashMap<String, (Point, Gate)>>,
    reached: watch::Sender<usize>,
}

impl Holds {
    /// Stops the message's turn when it first reaches the point, until the gate opens.
    pub fn arm(&self, tag: &str, point: Point) -> Gate {
        let gate = Gate::shut();
        self.armed().insert(tag.to_owned(), (point, gate.clone()));
        gate
    }

    /// The gate to wait at, if this turn is to stop at this point.
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

    /// Resolves once this many turns in total have stopped.
    pub async fn reached(&self, count: usize) {
        let mut reached = self.0.reached.subscribe();
        let _ = reached.wait_for(|stopped| *stopped >= count).await;
    }

    fn armed(&self) -> MutexGuard<'_, HashMap<String, (Point, Gate)>> {
        self.0.armed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An effect that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    pub tool: String,
    /// Turn id and call id.
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
    /// Number of effects whose tool has not received its answer.
    under_way: watch::Sender<usize>,
    /// Delay of the answer to a tool.
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
                // The client may be killed at any time.
                tokio::spawn(async move { serve(stream, &holds, &log).await });
            }
        });
        Self { address, log }
    }

    pub fn done(&self) -> Vec<Done> {
        self.log.done.lock().unwrap().clone()
    }

    /// Delays every later answer to a tool by this time.
    pub fn linger(&self, time: Duration) {
        *self.log.linger.lock().unwrap() = time;
    }

    /// Resolves while at least one effect has happened and its tool has no answer.
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
