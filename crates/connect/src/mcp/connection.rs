//! One connection to a server, from the handshake to its list of tools.

use std::collections::{BTreeMap, HashMap};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use rmcp::model::{CallToolRequestParams, CallToolResult, ClientConfig, ProtocolVersion, Tool};
use rmcp::service::{ClientInitializeError, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, RoleClient, ServiceError, serve_client_with_lifecycle};
use serde_json::{Map, Value};

use super::McpServer;
use super::child::{Process, start};
use crate::auth::{Auth, KeyPlace};

/// The largest message of a server: enough for a picture, small enough to hold in memory.
const MAX_MESSAGE: usize = 16 * 1024 * 1024;
/// Pages of a list of tools; a server that sends more is broken.
const MAX_PAGES: usize = 20;

pub(super) struct Connection {
    service: RunningService<RoleClient, ClientConfig>,
    /// Dropped after the service, which closes the pipes.
    process: Option<Process>,
}

/// The cause of a failed connection, for the operator.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConnectError {
    #[error("the program does not start: {0}")]
    Start(#[from] std::io::Error),
    #[error("{0}")]
    Settings(String),
    #[error("the handshake failed: {error}{}", last_words(.stderr))]
    Handshake { error: String, stderr: String },
}

fn last_words(stderr: &str) -> String {
    if stderr.is_empty() {
        String::new()
    } else {
        format!(" (the program wrote: {stderr})")
    }
}

impl Connection {
    pub(super) async fn open(
        server: &McpServer,
        inherited: &BTreeMap<String, String>,
        http: &reqwest::Client,
    ) -> Result<Self, ConnectError> {
        match &server.url {
            Some(url) => Self::open_url(url, server.auth.as_ref(), http).await,
            None => Self::open_program(server, inherited).await,
        }
    }

    async fn open_program(
        server: &McpServer,
        inherited: &BTreeMap<String, String>,
    ) -> Result<Self, ConnectError> {
        let (process, pipes) = start(server, inherited)?;
        let transport = AsyncRwTransport::<RoleClient, _, _>::new(pipes.output, pipes.input)
            .with_max_line_length(MAX_MESSAGE);
        match serve_client_with_lifecycle(client(), transport, both_eras()).await {
            Ok(service) => Ok(Self {
                service,
                process: Some(process),
            }),
            Err(error) => Err(ConnectError::handshake(&error, process.last_error())),
        }
    }

    async fn open_url(
        url: &str,
        auth: Option<&Auth>,
        http: &reqwest::Client,
    ) -> Result<Self, ConnectError> {
        let mut config = StreamableHttpClientTransportConfig::with_uri(url);
        config.custom_headers = headers(auth).map_err(ConnectError::Settings)?;
        config.max_sse_event_size = MAX_MESSAGE;
        let transport = StreamableHttpClientTransport::with_client(http.clone(), config);
        match serve_client_with_lifecycle(client(), transport, both_eras()).await {
            Ok(service) => Ok(Self {
                service,
                process: None,
            }),
            Err(error) => Err(ConnectError::handshake(&error, String::new())),
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.service.is_closed() || self.service.peer().is_transport_closed()
    }

    pub(super) async fn tools(&self) -> Result<Vec<Tool>, ServiceError> {
        let mut tools = Vec::new();
        let mut cursor = None;
        for _ in 0..MAX_PAGES {
            let mut page = rmcp::model::PaginatedRequestParams::default();
            page.cursor = cursor;
            let result = self.service.list_tools(Some(page)).await?;
            tools.extend(result.tools);
            cursor = result.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(tools)
    }

    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<CallToolResult, ServiceError> {
        if let Some(process) = &self.process {
            process.reset_output();
        }
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.service.call_tool(call).await
    }

    pub(super) fn last_error(&self) -> String {
        self.process
            .as_ref()
            .map(Process::last_error)
            .unwrap_or_default()
    }
}

impl ConnectError {
    fn handshake(error: &ClientInitializeError, stderr: String) -> Self {
        Self::Handshake {
            error: error.to_string(),
            stderr,
        }
    }
}

/// No capabilities: a server cannot ask for files, models or input.
fn client() -> ClientConfig {
    let mut config = ClientConfig::default();
    config.client_info.name = "frontdesk".to_owned();
    config.client_info.version = env!("CARGO_PKG_VERSION").to_owned();
    config
}

/// Tries the protocol without a session first, then the handshake of older servers.
fn both_eras() -> ClientLifecycleMode {
    ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::LATEST],
        legacy_version: None,
    }
}

/// The headers of a sign-in, or a sentence about one that a shared connection cannot use.
pub(super) fn headers(auth: Option<&Auth>) -> Result<HashMap<HeaderName, HeaderValue>, String> {
    let (name, value) = match auth {
        None | Some(Auth::None {}) => return Ok(HashMap::new()),
        Some(Auth::ApiKey {
            place: KeyPlace::Header,
            name,
            value,
        }) => (name.clone(), value.expose().to_owned()),
        Some(Auth::Bearer { token }) => (
            AUTHORIZATION.to_string(),
            format!("Bearer {}", token.expose()),
        ),
        Some(Auth::Basic { user, password }) => {
            let pair = STANDARD.encode(format!("{user}:{}", password.expose()));
            (AUTHORIZATION.to_string(), format!("Basic {pair}"))
        }
        Some(_) => {
            return Err(
                "an MCP server takes `auth` of the kind api_key (in a header), bearer or basic"
                    .to_owned(),
            );
        }
    };
    let header = HeaderName::try_from(name.as_str());
    let value = HeaderValue::try_from(value);
    let (Ok(header), Ok(mut value)) = (header, value) else {
        return Err(format!(
            "the header {name:?} or its value has characters that HTTP forbids"
        ));
    };
    value.set_sensitive(true);
    Ok(HashMap::from([(header, value)]))
}
