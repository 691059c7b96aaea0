//! A connection pool for the model's server.
//!
//! The task that waits for an answer drives its connection; connections have no tasks of
//! their own. A streamed answer is hundreds of small chunks, and passing each between tasks
//! costs more than reading it.

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

/// Idle timeout; servers close theirs after a minute or two.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum idle connections. Beyond that the longest idle are closed.
const MAX_IDLE: usize = 512;

type Socket = MaybeHttpsStream<TokioIo<TcpStream>>;

/// The connections to one server.
pub(super) struct Connections {
    connector: HttpsConnector<HttpConnector>,
    server: Uri,
    /// The path of every request.
    path: Uri,
    headers: HeaderMap,
    timeout: Duration,
    idle_pool: Arc<IdlePool>,
}

/// The reason a request got no response.
pub(super) enum SendError {
    /// No connection could be made.
    Unreachable(String),
    /// The connection ended before the response began.
    Interrupted(String),
}

/// A response: its head, and the body as it arrives.
pub(super) struct Response {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    body: Incoming,
    /// Taken when the body has ended and the connection is reusable.
    connection: Option<OpenConnection>,
    idle_pool: Arc<IdlePool>,
}

impl Connections {
    /// `url` is the URL of every request; `headers` are sent with each.
    pub(super) fn new(url: &Uri, headers: HeaderMap, timeout: Duration) -> io::Result<Self> {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = HttpsConnectorBuilder::new();
        let builder = match url.scheme_str() {
            // Loading the system's certificates takes time and may fail; plain HTTP does
            // not need them.
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
            timeout,
            idle_pool: Arc::default(),
        })
    }

    pub(super) async fn post(&self, body: Body) -> Result<Response, SendError> {
        let mut request = Request::new(body);
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.path.clone();
        *request.headers_mut() = self.headers.clone();
        while let Some(connection) = self.idle_pool.take() {
            match connection.send(request, &self.idle_pool).await {
                Ok(response) => return Ok(response),
                // The connection was closed while idle, and no part of the request was
                // sent.
                Err(mut closed) => match closed.take_message() {
                    Some(unsent) => request = unsent,
                    None => return Err(interrupted(closed)),
                },
            }
        }
        let connection = self.connect().await?;
        connection
            .send(request, &self.idle_pool)
            .await
            .map_err(interrupted)
    }

    async fn connect(&self) -> Result<OpenConnection, SendError> {
        let mut connector = self.connector.clone();
        let connecting = async {
            // Always ready: it has no connection limit.
            let socket = connector.call(self.server.clone()).await;
            let socket = socket.map_err(|error| SendError::Unreachable(root_cause(&*error)))?;
            let (sender, connection) = handshake(socket)
                .await
                .map_err(|error| SendError::Unreachable(root_cause(&error)))?;
            Ok(OpenConnection(Box::new(ConnectionParts {
                sender,
                connection,
                closed: false,
            })))
        };
        match timeout(self.timeout, connecting).await {
            Ok(connected) => connected,
            Err(_) => {
                let timeout = self.timeout;
                Err(SendError::Unreachable(format!(
                    "no answer within {timeout:?}"
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

fn interrupted(error: TrySendError<Request<Body>>) -> SendError {
    SendError::Interrupted(root_cause(&error.into_error()))
}

impl Response {
    /// The next chunk of the body; `None` after its end.
    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>, hyper::Error> {
        poll_fn(|cx| self.poll_chunk(cx)).await
    }

    fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, hyper::Error>> {
        loop {
            let frame = match self.poll_frame() {
                Poll::Ready(frame) => frame,
                Poll::Pending => {
                    if let Some(connection) = &mut self.connection {
                        connection.drive(cx);
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
                    // Trailers are ignored.
                }
            }
        }
    }

    /// Polls the received frames without registering a waker: only driving the connection
    /// yields more.
    fn poll_frame(&mut self) -> Poll<Option<Result<http_body::Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut self.body).poll_frame(&mut noop_context())
    }

    fn rest(&mut self) {
        if let Some(mut connection) = self.connection.take()
            && connection.is_free()
        {
            self.idle_pool.put(connection);
        }
    }
}

fn noop_context() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

/// An open connection.
struct OpenConnection(Box<ConnectionParts>);

/// The request sender, and the connection future that reads and writes.
struct ConnectionParts {
    sender: SendRequest<Body>,
    connection: Connection<Socket, Body>,
    closed: bool,
}

impl OpenConnection {
    async fn send(
        mut self,
        request: Request<Body>,
        idle_pool: &Arc<IdlePool>,
    ) -> Result<Response, TrySendError<Request<Body>>> {
        let mut answer = std::pin::pin!(self.0.sender.try_send_request(request));
        let response = poll_fn(|cx| {
            self.drive(cx);
            answer.as_mut().poll(&mut noop_context())
        })
        .await?;
        let (head, body) = response.into_parts();
        Ok(Response {
            status: head.status,
            headers: head.headers,
            body,
            connection: Some(self),
            idle_pool: Arc::clone(idle_pool),
        })
    }

    /// Polls the connection. The response reports why a connection ended.
    fn drive(&mut self, cx: &mut Context<'_>) {
        let parts = &mut *self.0;
        parts.closed = parts.closed || Pin::new(&mut parts.connection).poll(cx).is_ready();
    }

    /// True if the connection is open and idle.
    fn is_free(&mut self) -> bool {
        self.drive(&mut noop_context());
        !self.0.closed && self.0.sender.is_ready()
    }
}

/// Idle connections, most recently used last.
#[derive(Default)]
struct IdlePool(Mutex<IdleConnections>);

#[derive(Default)]
struct IdleConnections {
    entries: Vec<(Instant, OpenConnection)>,
    /// A task that closes old connections is running.
    watched: bool,
}

impl IdlePool {
    /// Takes an idle connection that is still open.
    fn take(&self) -> Option<OpenConnection> {
        loop {
            let (_, mut connection) = self.connections().entries.pop()?;
            if connection.is_free() {
                return Some(connection);
            }
        }
    }

    fn put(self: &Arc<Self>, connection: OpenConnection) {
        let mut connections = self.connections();
        if !std::mem::replace(&mut connections.watched, true) {
            tokio::spawn(close_in_time(Arc::downgrade(self)));
        }
        if connections.entries.len() >= MAX_IDLE {
            connections.entries.remove(0);
        }
        connections.entries.push((Instant::now(), connection));
    }

    /// Closes connections past the idle timeout. Returns the next deadline, if any are
    /// left.
    fn close_old(&self) -> Option<Instant> {
        let now = Instant::now();
        let mut connections = self.connections();
        connections
            .entries
            .retain(|(since, _)| *since + IDLE_TIMEOUT > now);
        let next = connections
            .entries
            .first()
            .map(|(since, _)| *since + IDLE_TIMEOUT);
        connections.watched = next.is_some();
        next
    }

    fn connections(&self) -> MutexGuard<'_, IdleConnections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs until no idle connection is left, or the pool is dropped.
async fn close_in_time(idle_pool: Weak<IdlePool>) {
    let mut next = Some(Instant::now() + IDLE_TIMEOUT);
    while let Some(at) = next {
        tokio::time::sleep_until(at).await;
        next = idle_pool
            .upgrade()
            .and_then(|idle_pool| idle_pool.close_old());
    }
}
