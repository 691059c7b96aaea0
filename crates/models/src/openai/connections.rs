//! Connections to the model's server, kept for the requests that follow.
//!
//! A connection is driven by whoever waits for its answer and has no task of its own: a streamed answer is
//! hundreds of small chunks, and handing each of them from task to task costs more than reading it.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use bytes::Bytes;
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body::Body as _;
use hyper::body::Incoming;
use hyper::client::conn::TrySendError;
use hyper::client::conn::http1::{Connection, SendRequest, handshake};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use tower_service::Service;

use super::body::Body;
use super::error::root_cause;

/// How long a connection rests before it is closed; servers close theirs after a minute or two.
const REST: Duration = Duration::from_secs(60);
/// How many rest at most. Beyond that those that rested longest are closed.
const MOST: usize = 512;

type Socket = MaybeHttpsStream<TokioIo<TcpStream>>;

/// The way to one server.
pub(super) struct Connections {
    connector: HttpsConnector<HttpConnector>,
    server: Uri,
    /// The path of every request.
    path: Uri,
    headers: HeaderMap,
    patience: Duration,
    resting: Arc<Resting>,
}

/// Why there is no answer.
pub(super) enum Trouble {
    /// There was no connection.
    Unreachable(String),
    /// The connection ended before the answer began.
    BrokeOff(String),
}

/// The answer to a request: its head, and the body as it comes.
pub(super) struct Response {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    body: Incoming,
    /// Taken when the body has ended and the connection can serve the next request.
    wire: Option<Wire>,
    resting: Arc<Resting>,
}

impl Connections {
    /// `url` is that of every request, and `headers` go with each.
    pub(super) fn new(url: &Uri, headers: HeaderMap, patience: Duration) -> io::Result<Self> {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = HttpsConnectorBuilder::new();
        let builder = match url.scheme_str() {
            // Reading the system's certificates takes a while and may fail; here nobody needs them.
            Some("http") => builder.with_tls_config(
                rustls::ClientConfig::builder_with_provider(provider)
                    .with_safe_default_protocol_versions()
                    .map_err(io::Error::other)?
                    .with_root_certificates(rustls::RootCertStore::empty())
                    .with_no_client_auth(),
            ),
            _ => builder.with_provider_and_platform_verifier(provider)?,
        };
        let path = url
            .path_and_query()
            .map_or_else(Uri::default, |path| Uri::from(path.clone()));
        Ok(Self {
            connector: builder.https_or_http().enable_http1().wrap_connector(tcp),
            headers: with_host(headers, url.authority()),
            server: url.clone(),
            path,
            patience,
            resting: Arc::default(),
        })
    }

    pub(super) async fn post(&self, body: Body) -> Result<Response, Trouble> {
        let mut request = Request::new(body);
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.path.clone();
        *request.headers_mut() = self.headers.clone();
        while let Some(wire) = self.resting.take() {
            match wire.send(request, &self.resting).await {
                Ok(response) => return Ok(response),
                // It was closed while it rested, and nothing of the request was sent.
                Err(mut closed) => match closed.take_message() {
                    Some(unsent) => request = unsent,
                    None => return Err(broke_off(closed)),
                },
            }
        }
        let wire = self.connect().await?;
        wire.send(request, &self.resting).await.map_err(broke_off)
    }

    async fn connect(&self) -> Result<Wire, Trouble> {
        let mut connector = self.connector.clone();
        let connecting = async {
            // Always ready: it holds no connections back.
            let socket = connector.call(self.server.clone()).await;
            let socket = socket.map_err(|error| Trouble::Unreachable(root_cause(&*error)))?;
            let (sender, connection) = handshake(socket)
                .await
                .map_err(|error| Trouble::Unreachable(root_cause(&error)))?;
            Ok(Wire(Box::new(Ends {
                sender,
                connection,
                closed: false,
            })))
        };
        match timeout(self.patience, connecting).await {
            Ok(connected) => connected,
            Err(_) => {
                let patience = self.patience;
                Err(Trouble::Unreachable(format!(
                    "no answer within {patience:?}"
                )))
            }
        }
    }
}

fn with_host(mut headers: HeaderMap, authority: Option<&Authority>) -> HeaderMap {
    let host = authority.and_then(|authority| HeaderValue::from_str(authority.as_str()).ok());
    if let Some(host) = host {
        headers.insert(header::HOST, host);
    }
    headers
}

fn broke_off(error: TrySendError<Request<Body>>) -> Trouble {
    Trouble::BrokeOff(root_cause(&error.into_error()))
}

impl Response {
    /// More of the body; `None` behind its end.
    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>, hyper::Error> {
        poll_fn(|cx| self.poll_chunk(cx)).await
    }

    fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, hyper::Error>> {
        loop {
            let frame = match self.poll_frame() {
                Poll::Ready(frame) => frame,
                Poll::Pending => {
                    if let Some(wire) = &mut self.wire {
                        wire.drive(cx);
                    }
                    ready!(self.poll_frame())
                }
            };
            match frame.transpose()? {
                None => {
                    self.rest();
                    return Poll::Ready(Ok(None));
                }
                Some(frame) => {
                    if let Ok(data) = frame.into_data() {
                        return Poll::Ready(Ok(Some(data)));
                    }
                    // Trailers say nothing that we use.
                }
            }
        }
    }

    /// What the connection has handed over. Only the connection can bring more, and it wakes us itself.
    fn poll_frame(&mut self) -> Poll<Option<Result<http_body::Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut self.body).poll_frame(&mut nobody())
    }

    fn rest(&mut self) {
        if let Some(mut wire) = self.wire.take()
            && wire.is_free()
        {
            self.resting.put(wire);
        }
    }
}

fn nobody() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

/// An open connection.
struct Wire(Box<Ends>);

/// The end that takes requests, and the end that reads and writes.
struct Ends {
    sender: SendRequest<Body>,
    connection: Connection<Socket, Body>,
    closed: bool,
}

impl Wire {
    async fn send(
        mut self,
        request: Request<Body>,
        resting: &Arc<Resting>,
    ) -> Result<Response, TrySendError<Request<Body>>> {
        let mut answer = std::pin::pin!(self.0.sender.try_send_request(request));
        let response = poll_fn(|cx| {
            self.drive(cx);
            answer.as_mut().poll(&mut nobody())
        })
        .await?;
        let (head, body) = response.into_parts();
        Ok(Response {
            status: head.status,
            headers: head.headers,
            body,
            wire: Some(self),
            resting: Arc::clone(resting),
        })
    }

    /// Reads and writes as far as that goes now. Why a connection ended stands in the answer.
    fn drive(&mut self, cx: &mut Context<'_>) {
        let ends = &mut *self.0;
        ends.closed = ends.closed || Pin::new(&mut ends.connection).poll(cx).is_ready();
    }

    /// Whether it is open and waits for a request.
    fn is_free(&mut self) -> bool {
        self.drive(&mut nobody());
        !self.0.closed && self.0.sender.is_ready()
    }
}

/// Connections that wait for the next request, those that were used last at the end.
#[derive(Default)]
struct Resting(Mutex<Rested>);

#[derive(Default)]
struct Rested {
    wires: Vec<(Instant, Wire)>,
    /// Somebody closes them in time.
    watched: bool,
}

impl Resting {
    /// One that is still open.
    fn take(&self) -> Option<Wire> {
        loop {
            let (_, mut wire) = self.rested().wires.pop()?;
            if wire.is_free() {
                return Some(wire);
            }
        }
    }

    fn put(self: &Arc<Self>, wire: Wire) {
        let mut rested = self.rested();
        if !std::mem::replace(&mut rested.watched, true) {
            tokio::spawn(close_in_time(Arc::downgrade(self)));
        }
        if rested.wires.len() >= MOST {
            rested.wires.remove(0);
        }
        rested.wires.push((Instant::now(), wire));
    }

    /// Closes what has rested long enough. When to look again, if anything is left.
    fn close_old(&self) -> Option<Instant> {
        let now = Instant::now();
        let mut rested = self.rested();
        rested.wires.retain(|(since, _)| *since + REST > now);
        let next = rested.wires.first().map(|(since, _)| *since + REST);
        rested.watched = next.is_some();
        next
    }

    fn rested(&self) -> MutexGuard<'_, Rested> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Until nothing rests any more, or nobody is left who could take it.
async fn close_in_time(resting: Weak<Resting>) {
    let mut next = Some(Instant::now() + REST);
    while let Some(at) = next {
        tokio::time::sleep_until(at).await;
        next = resting.upgrade().and_then(|resting| resting.close_old());
    }
}
