//! The shared client of one server: connects when needed and pauses after failures.

use std::collections::{BTreeMap, HashSet};
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
    live: Option<Arc<Live>>,
    failures: u32,
    not_before: Option<Instant>,
    cause: String,
}

struct Live {
    connection: Connection,
    offered: HashSet<String>,
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
    #[error("{name} no longer offers the tool `{tool}`")]
    Gone { name: String, tool: String },
    #[error("{name} refused: {message}")]
    Refused { name: String, message: String },
    /// The call was sent and has no result.
    #[error("{name} did not answer in time or stopped")]
    Lost { name: String },
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
        let listed = timeout(self.source.timeout.0, live.connection.tools()).await;
        match listed {
            Ok(Ok(tools)) => Ok(tools),
            Ok(Err(error)) => Err(self.fail(&live, error.to_string()).await),
            Err(_) => Err(self
                .fail(&live, "no list of tools in time".to_owned())
                .await),
        }
    }

    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<CallToolResult, McpError> {
        let live = self.live().await?;
        if !live.offered.contains(tool) {
            return Err(self.gone(tool));
        }
        let call = live.connection.call(tool, arguments);
        match timeout(self.source.timeout.0, call).await {
            Ok(Ok(result)) => {
                self.state.lock().await.failures = 0;
                if result.is_error == Some(true) && !self.still_offers(&live, tool).await {
                    return Err(self.gone(tool));
                }
                Ok(result)
            }
            Ok(Err(ServiceError::McpError(error))) => {
                if !self.still_offers(&live, tool).await {
                    return Err(self.gone(tool));
                }
                Err(self.refused(&error.message))
            }
            Ok(Err(error)) => Err(self.fail(&live, error.to_string()).await),
            Err(_) => Err(self.fail(&live, "no result in time".to_owned()).await),
        }
    }

    /// True unless the server's current list proves otherwise.
    async fn still_offers(&self, live: &Live, tool: &str) -> bool {
        match timeout(self.source.timeout.0, live.connection.tools()).await {
            Ok(Ok(tools)) => tools.iter().any(|offered| offered.name == tool),
            Ok(Err(_)) | Err(_) => true,
        }
    }

    async fn live(&self) -> Result<Arc<Live>, McpError> {
        // Held while connecting: other calls wait for the same connection.
        let mut state = self.state.lock().await;
        if let Some(live) = state
            .live
            .as_ref()
            .filter(|live| !live.connection.is_closed())
        {
            return Ok(Arc::clone(live));
        }
        state.live = None;
        if let Some(seconds) = state.seconds_to_wait() {
            return Err(self.unavailable(seconds, &state.cause));
        }
        match timeout(START_TIME, self.open()).await {
            Ok(Ok(live)) => {
                let live = Arc::new(live);
                state.live = Some(Arc::clone(&live));
                Ok(live)
            }
            Ok(Err(cause)) => Err(self.note_failure(&mut state, &cause)),
            Err(_) => Err(self.note_failure(&mut state, "it did not start in time")),
        }
    }

    async fn open(&self) -> Result<Live, String> {
        let connection = Connection::open(&self.source.mcp, &self.inherited, &self.http)
            .await
            .map_err(|error| error.to_string())?;
        let tools = connection
            .tools()
            .await
            .map_err(|error| error.to_string())?;
        let offered = tools
            .into_iter()
            .map(|tool| tool.name.into_owned())
            .collect();
        Ok(Live {
            connection,
            offered,
        })
    }

    /// Ends a connection that lost a call. Dropping it stops the program.
    async fn fail(&self, live: &Arc<Live>, cause: String) -> McpError {
        let mut state = self.state.lock().await;
        let is_current = state
            .live
            .as_ref()
            .is_some_and(|now| Arc::ptr_eq(now, live));
        if is_current {
            state.live = None;
            let stderr = live.connection.last_error();
            self.note_failure(&mut state, &format!("{cause} {stderr}"));
        }
        McpError::Lost { name: self.title() }
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
            cause = cause.trim(),
            "an MCP server failed"
        );
        cause.trim().clone_into(&mut state.cause);
        self.unavailable(pause.as_secs(), &state.cause)
    }

    fn unavailable(&self, seconds: u64, cause: &str) -> McpError {
        McpError::Unavailable {
            name: self.title(),
            seconds,
            cause: cause.to_owned(),
        }
    }

    fn gone(&self, tool: &str) -> McpError {
        McpError::Gone {
            name: self.title(),
            tool: tool.to_owned(),
        }
    }

    pub(super) fn refused(&self, message: &str) -> McpError {
        McpError::Refused {
            name: self.title(),
            message: super::content::sentence(message),
        }
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
