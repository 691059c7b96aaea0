//! Reads the response to one request as it arrives.

use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use frontdesk_core::model::{DeltaSink, ModelError, ModelErrorKind, Reply};
use futures_util::FutureExt;
use serde_json::Value;
use tokio::time::{Instant, Sleep, sleep, timeout};

use super::assemble::{Assembly, MAX_REPLY_BYTES, TooLarge};
use super::connections::Response;
use super::error::{Explanation, kind_of_event, root_cause};
use super::frame::Frame;
use super::read::Chunk;
use super::sse::{Event, Splitter, TooLong};

/// Maximum wait for token counts after the finish reason.
const AFTER_FINISH: Duration = Duration::from_secs(2);

/// Maximum wait for the end of the body after `[DONE]`. Reading it makes the connection
/// reusable.
const AFTER_DONE: Duration = Duration::from_millis(50);

/// In bytes. Buffered text is passed on at this length at the latest.
const MAX_PIECE: usize = 1024;

/// The reason an answer could not be read.
pub(super) struct ReadFailure {
    pub(super) error: ModelError,
    /// Text was shown: the request must not be repeated.
    pub(super) shown: bool,
}

/// Reads the body of a successful response. `request_bytes` is used to estimate tokens if
/// the server sends no counts.
pub(super) async fn read(
    mut response: Response,
    idle: Duration,
    request_bytes: u64,
    sink: &mut dyn DeltaSink,
) -> Result<Reply, ReadFailure> {
    let mut reader = Reader::default();
    let mut joined = JoiningSink::new(sink);
    let read = reader.read_all(&mut response, idle, &mut joined).await;
    joined.pass_on();
    match read {
        Ok(()) => Ok(reader.assembly.into_reply(request_bytes)),
        Err(ReadError { kind, message }) => Err(ReadFailure {
            error: ModelError::new(kind, message),
            shown: reader.assembly.has_shown_text(),
        }),
    }
}

struct ReadError {
    kind: ModelErrorKind,
    message: String,
}

impl ReadError {
    fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    fn malformed(message: impl Into<String>) -> Self {
        Self::new(ModelErrorKind::Malformed, message)
    }

    fn of_error(explanation: &Explanation) -> Self {
        let message = format!("the model server reports: {}", explanation.message);
        Self::new(kind_of_event(explanation), message)
    }
}

impl From<TooLong> for ReadError {
    fn from(_: TooLong) -> Self {
        Self::malformed("the model server sent a line that is too long")
    }
}

impl From<TooLarge> for ReadError {
    fn from(_: TooLarge) -> Self {
        Self::malformed("the model server sent a reply that is too large")
    }
}

#[derive(Default)]
struct Reader {
    form: Form,
    splitter: Splitter,
    /// The start of a body of unknown form, or a whole body that is not a stream.
    whole: Vec<u8>,
    assembly: Assembly,
    frame: Frame,
    events: usize,
    done: bool,
}

/// The detected form of a body, whatever its content type says.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Form {
    #[default]
    Unknown,
    Stream,
    Object,
}

/// The result of waiting for more of a body.
enum More {
    Bytes(Bytes),
    End,
    Failed(hyper::Error),
    Late,
}

/// Detects an idle response. One timer serves the whole answer: it is re-armed only when it
/// fires, not for each of hundreds of chunks.
struct IdleTimer {
    timer: Pin<Box<Sleep>>,
    since: Instant,
    length: Duration,
}

impl IdleTimer {
    fn new(length: Duration) -> Self {
        Self {
            timer: Box::pin(sleep(length)),
            since: Instant::now(),
            length,
        }
    }

    fn shorten(&mut self, length: Duration) {
        if length < self.length {
            self.length = length;
            self.timer.as_mut().reset(self.since + length);
        }
    }

    fn came(&mut self, chunk: hyper::Result<Option<Bytes>>) -> More {
        self.since = Instant::now();
        match chunk {
            Ok(Some(bytes)) => More::Bytes(bytes),
            Ok(None) => More::End,
            Err(error) => More::Failed(error),
        }
    }

    async fn more(&mut self, response: &mut Response) -> More {
        loop {
            tokio::select! {
                biased;
                chunk = response.chunk() => return self.came(chunk),
                () = self.timer.as_mut() => {}
            }
            let end = self.since + self.length;
            if end <= Instant::now() {
                return More::Late;
            }
            self.timer.as_mut().reset(end);
        }
    }
}

/// Joins pieces of text that have already arrived, as happens when the model is faster than
/// the reader: each piece passed on is numbered, stored and sent to every subscriber.
struct JoiningSink<'s> {
    sink: &'s mut dyn DeltaSink,
    text: String,
}

impl<'s> JoiningSink<'s> {
    fn new(sink: &'s mut dyn DeltaSink) -> Self {
        Self {
            sink,
            text: String::new(),
        }
    }

    fn pass_on(&mut self) {
        if !self.text.is_empty() {
            self.sink.text(&self.text);
            self.text.clear();
        }
    }
}

impl DeltaSink for JoiningSink<'_> {
    fn text(&mut self, delta: &str) {
        self.text.push_str(delta);
        if self.text.len() >= MAX_PIECE {
            self.pass_on();
        }
    }
}

impl Reader {
    async fn read_all(
        &mut self,
        response: &mut Response,
        idle: Duration,
        sink: &mut JoiningSink<'_>,
    ) -> Result<(), ReadError> {
        let mut idle_timer = IdleTimer::new(idle);
        loop {
            let finished = self.assembly.is_finished();
            if finished {
                idle_timer.shorten(AFTER_FINISH);
            }
            // Reads all available chunks before passing any text on.
            let more = match response.chunk().now_or_never() {
                Some(chunk) => idle_timer.came(chunk),
                None => {
                    sink.pass_on();
                    idle_timer.more(response).await
                }
            };
            match more {
                More::Bytes(bytes) => self.feed(&bytes, sink)?,
                More::End => return self.end(sink),
                // The model has finished: only token counts are missing.
                More::Failed(_) | More::Late if finished => return Ok(()),
                More::Failed(error) => {
                    let cause = root_cause(&error);
                    let message = format!("the model server's answer was interrupted: {cause}");
                    return Err(ReadError::new(ModelErrorKind::Interrupted, message));
                }
                More::Late => {
                    let message = format!("the model server sent nothing for {idle:?}");
                    return Err(ReadError::new(ModelErrorKind::TimedOut, message));
                }
            }
            if self.done {
                sink.pass_on();
                let end = async { while let Ok(Some(_)) = response.chunk().await {} };
                let _ = timeout(AFTER_DONE, end).await;
                return Ok(());
            }
        }
    }

    fn feed(&mut self, bytes: &[u8], sink: &mut dyn DeltaSink) -> Result<(), ReadError> {
        if self.form == Form::Stream {
            return self.feed_stream(bytes, sink);
        }
        if self.whole.len() + bytes.len() > MAX_REPLY_BYTES {
            return Err(TooLarge.into());
        }
        self.whole.extend_from_slice(bytes);
        if self.form == Form::Object {
            return Ok(());
        }
        let is_lead = |byte: &u8| byte.is_ascii_whitespace() || b"\xef\xbb\xbf".contains(byte);
        match self.whole.iter().find(|byte| !is_lead(byte)) {
            None => {}
            Some(b'{' | b'[') => self.form = Form::Object,
            Some(b'<') => {
                return Err(ReadError::malformed(
                    "the model server answered with a web page; check the base URL",
                ));
            }
            Some(_) => {
                self.form = Form::Stream;
                let lead = std::mem::take(&mut self.whole);
                self.feed_stream(&lead, sink)?;
            }
        }
        Ok(())
    }

    fn feed_stream(&mut self, bytes: &[u8], sink: &mut dyn DeltaSink) -> Result<(), ReadError> {
        let Self {
            splitter,
            assembly,
            frame,
            events,
            done,
            ..
        } = self;
        splitter.feed(bytes, |event| {
            *events += 1;
            if !*done {
                *done = take(&event, frame, assembly, sink)?;
            }
            Ok(())
        })
    }

    /// Checks at the end of the body that the reply is complete.
    fn end(&mut self, sink: &mut dyn DeltaSink) -> Result<(), ReadError> {
        if self.form == Form::Object {
            return self.end_object(sink);
        }
        let cut = || {
            let message = "the model server's answer ended before it was complete";
            ReadError::new(ModelErrorKind::Interrupted, message)
        };
        let mut last = None;
        self.splitter.finish(|event| {
            last = Some((event.data.to_vec(), event.is_error));
            Ok::<(), ReadError>(())
        })?;
        if let Some((data, is_error)) = last {
            self.events += 1;
            let event = Event {
                data: &data,
                is_error,
            };
            // A final event without its terminator is accepted if its data are complete.
            self.done = match take(&event, &mut self.frame, &mut self.assembly, sink) {
                Err(flaw) if flaw.kind == ModelErrorKind::Malformed => return Err(cut()),
                taken => taken?,
            };
        }
        if self.done || self.assembly.is_finished() {
            return Ok(());
        }
        if self.events == 0 && self.form == Form::Stream {
            return Err(ReadError::malformed(
                "the model server's answer is neither a stream of events nor JSON",
            ));
        }
        Err(cut())
    }

    fn end_object(&mut self, sink: &mut dyn DeltaSink) -> Result<(), ReadError> {
        let whole = std::mem::take(&mut self.whole);
        let json = whole.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&whole);
        let chunk = parse(json)?;
        check_error(&chunk)?;
        if chunk
            .choices
            .as_ref()
            .is_none_or(|choices| choices.0.is_none())
        {
            return Err(ReadError::malformed(
                "the model server's answer has no choices",
            ));
        }
        self.assembly.add(chunk, sink)?;
        Ok(())
    }
}

/// Processes an event; returns true if it was the last.
fn take(
    event: &Event<'_>,
    frame: &mut Frame,
    assembly: &mut Assembly,
    sink: &mut dyn DeltaSink,
) -> Result<bool, ReadError> {
    let data = event.data.trim_ascii();
    if let Some(text) = frame.text_of(data).filter(|_| !event.is_error) {
        assembly.add_text(text, sink)?;
        return Ok(false);
    }
    if data == b"[DONE]" {
        return Ok(true);
    }
    if event.is_error {
        return Err(ReadError::of_error(&Explanation::read(data)));
    }
    if data.is_empty() {
        return Ok(false);
    }
    let chunk = parse(data)?;
    check_error(&chunk)?;
    frame.learn(data, &chunk);
    assembly.add(chunk, sink)?;
    Ok(false)
}

fn check_error(chunk: &Chunk<'_>) -> Result<(), ReadError> {
    let Some(raw) = chunk.error else {
        return Ok(());
    };
    let error: Value = serde_json::from_str(raw.get()).unwrap_or_default();
    Err(ReadError::of_error(&Explanation::of(&error)))
}

fn parse(data: &[u8]) -> Result<Chunk<'_>, ReadError> {
    let bad = |what: String| {
        ReadError::malformed(format!("the model server's answer is malformed: {what}"))
    };
    // Validating the whole is cheaper than validating each text.
    let text = std::str::from_utf8(data).map_err(|_| bad("not UTF-8".to_owned()))?;
    // The parser's own message may quote the answer.
    serde_json::from_str(text).map_err(|error| {
        bad(format!(
            "{:?} error at column {}",
            error.classify(),
            error.column()
        ))
    })
}
