//! The shared client of one server: connects when needed and pauses after failures.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceError;
use rmcp::model::{CallToolResult, Tool};
use serde_json::{Map, Value};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::McpSource;
use super::connection::Connection;
use crate::client::{SourceError, http_client};
use crate::openapi::capitalised;

/// `npx` and `uvx` may download the server first.
const START_TIME: Duration = Duration::from_secs(60);
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Calls the tools of one server. A dead server is started again by the next call after a pause,
/// which doubles with each failure.
pub struct McpClient {
    source: McpSource,
    inherited: BTreeMap<String, String>,
    http: reqwest::Client,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    live: Option<Arc<Connection>>,
    failures: u32,
    not_before: Option<Instant>,
    cause: String,
}

/// A failed call, in a sentence for people. The log has the cause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum McpError {
    #[error("{name} is not available now; try again in {seconds} s")]
    Unavailable {
        name: String,
        seconds: u64,
        /// For the operator.
        cause: String,
    },
    #[error("{0} no longer offers the tool `{1}`")]
    Gone(String, String),
    #[error("{0} refused: {1}")]
    Refused(String, String),
    /// The call was sent and has no result.
    #[error("{0} did not answer in time or stopped")]
    Lost(String),
}

impl McpClient {
    /// `inherited` is the environment that programs get: PATH and the like, no secrets. Connects
    /// to nothing yet.
    pub fn new(
        source: McpSource,
        inherited: BTreeMap<String, String>,
    ) -> Result<Arc<Self>, SourceError> {
        if let Some(problem) = source.mcp.problem() {
            return Err(SourceError(problem));
        }
        let is_plain = source
            .mcp
            .url
            .as_ref()
            .is_none_or(|url| url.starts_with("http://"));
        let http = http_client(!is_plain)
            .map_err(|error| SourceError(format!("{} cannot be reached: {error}", source.name)))?;
        Ok(Arc::new(Self {
            source,
            inherited,
            http,
            state: Mutex::default(),
        }))
    }

    pub fn source(&self) -> &McpSource {
        &self.source
    }

    /// The tools that the server offers now.
    pub async fn tools(&self) -> Result<Vec<Tool>, McpError> {
        let live = self.live().await?;
        match self.in_time(live.tools()).await {
            Ok(tools) => Ok(tools),
            Err(error) => Err(self.fail(&live, &error).await),
        }
    }

    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<CallToolResult, McpError> {
        let live = self.live().await?;
        let gone = || McpError::Gone(self.title(), tool.to_owned());
        if !live.offers(tool) {
            return Err(gone());
        }
        let answer = self.in_time(live.call(tool, arguments)).await;
        let is_refused = match &answer {
            Ok(result) => result.is_error == Some(true),
            Err(error) => matches!(error, ServiceError::McpError(_)),
        };
        if is_refused
            && let Ok(tools) = self.in_time(live.tools()).await
            && !tools.iter().any(|offered| offered.name == tool)
        {
            return Err(gone());
        }
        match answer {
            Ok(result) => {
                self.state.lock().await.failures = 0;
                Ok(result)
            }
            Err(ServiceError::McpError(error)) => Err(self.refused(&error.message)),
            Err(error) => Err(self.fail(&live, &error).await),
        }
    }

    async fn in_time<T>(
        &self,
        request: impl Future<Output = Result<T, ServiceError>>,
    ) -> Result<T, ServiceError> {
        let limit = self.source.timeout.0;
        let answer = timeout(limit, request).await;
        answer.unwrap_or(Err(ServiceError::Timeout { timeout: limit }))
    }

    async fn live(&self) -> Result<Arc<Connection>, McpError> {
        // Held while connecting: other calls wait for the same connection.
        let mut state = self.state.lock().await;
        if let Some(live) = state.live.as_ref().filter(|live| !live.is_closed()) {
            return Ok(Arc::clone(live));
        }
        state.live = None;
        if let Some(seconds) = state.seconds_to_wait() {
            return Err(self.unavailable(seconds, &state.cause));
        }
        let opened = Connection::open(&self.source.mcp, &self.inherited, &self.http);
        let opened = timeout(START_TIME, opened).await;
        match opened.unwrap_or_else(|_| Err("it did not start in time".to_owned())) {
            Ok(live) => Ok(Arc::clone(state.live.insert(Arc::new(live)))),
            Err(cause) => Err(self.note_failure(&mut state, &cause)),
        }
    }

    /// Ends a connection that lost a call. Dropping it stops the program.
    async fn fail(&self, live: &Arc<Connection>, error: &ServiceError) -> McpError {
        let mut state = self.state.lock().await;
        if state
            .live
            .as_ref()
            .is_some_and(|now| Arc::ptr_eq(now, live))
        {
            state.live = None;
            self.note_failure(&mut state, &format!("{error}{}", live.last_words()));
        }
        McpError::Lost(self.title())
    }

    fn note_failure(&self, state: &mut State, cause: &str) -> McpError {
        let pause = FIRST_PAUSE
            .saturating_mul(2_u32.saturating_pow(state.failures.min(10)))
            .min(LONGEST_PAUSE);
        state.failures = state.failures.saturating_add(1);
        state.not_before = Some(Instant::now() + pause);
        tracing::warn!(
            source.name = self.source.name,
            mcp.failures = state.failures,
            mcp.pause_seconds = pause.as_secs(),
            cause,
            "an MCP server failed"
        );
        cause.clone_into(&mut state.cause);
        self.unavailable(pause.as_secs(), &state.cause)
    }

    fn unavailable(&self, seconds: u64, cause: &str) -> McpError {
        McpError::Unavailable {
            name: self.title(),
            seconds,
            cause: cause.to_owned(),
        }
    }

    pub(super) fn refused(&self, message: &str) -> McpError {
        McpError::Refused(self.title(), super::content::sentence(message))
    }

    /// Its name at the beginning of a sentence.
    fn title(&self) -> String {
        capitalised(&self.source.name)
    }
}

impl State {
    fn seconds_to_wait(&self) -> Option<u64> {
        let left = self.not_before?.checked_duration_since(Instant::now())?;
        (!left.is_zero())
            .then(|| u64::try_from(left.as_millis().div_ceil(1000)).unwrap_or(u64::MAX))
    }
}
