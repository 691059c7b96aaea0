//! One connection to a server, from the handshake to its list of tools.

use std::collections::{BTreeMap, HashMap, HashSet};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{HeaderName, HeaderValue};
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
    offered: HashSet<String>,
}

impl Connection {
    /// The error is the cause, for the operator.
    pub(super) async fn open(
        server: &McpServer,
        inherited: &BTreeMap<String, String>,
        http: &reqwest::Client,
    ) -> Result<Self, String> {
        let (service, process) = match &server.url {
            Some(url) => {
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                config.custom_headers = headers(server.auth.as_ref())?;
                config.max_sse_event_size = MAX_MESSAGE;
                let transport = StreamableHttpClientTransport::with_client(http.clone(), config);
                let service = serve_client_with_lifecycle(client(), transport, both_eras());
                (service.await, None)
            }
            None => {
                let (mut service, mut process) = serve_program(server, inherited).await?;
                // The first start may download the program; then the probe is answered too late.
                if service.as_ref().is_err_and(is_late) {
                    (service, process) = serve_program(server, inherited).await?;
                }
                (service, Some(process))
            }
        };
        let last_words = process.as_ref().map(Process::last_words);
        let last_words = last_words.unwrap_or_default();
        let mut connection = Self {
            service: service
                .map_err(|error| format!("the handshake failed: {error}{last_words}"))?,
            process,
            offered: HashSet::new(),
        };
        let tools = connection
            .tools()
            .await
            .map_err(|error| error.to_string())?;
        let names = tools.into_iter().map(|tool| tool.name.into_owned());
        connection.offered = names.collect();
        Ok(connection)
    }

    /// Whether the server had this tool when the connection was opened.
    pub(super) fn offers(&self, tool: &str) -> bool {
        self.offered.contains(tool)
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

    pub(super) fn last_words(&self) -> String {
        let process = self.process.as_ref();
        process.map(Process::last_words).unwrap_or_default()
    }
}

type Served = Result<RunningService<RoleClient, ClientConfig>, ClientInitializeError>;

async fn serve_program(
    server: &McpServer,
    inherited: &BTreeMap<String, String>,
) -> Result<(Served, Process), String> {
    let (process, output, input) =
        start(server, inherited).map_err(|error| format!("the program does not start: {error}"))?;
    let transport =
        AsyncRwTransport::<RoleClient, _, _>::new(output, input).with_max_line_length(MAX_MESSAGE);
    let service = serve_client_with_lifecycle(client(), transport, both_eras()).await;
    Ok((service, process))
}

/// True if the answer to an earlier request arrived in place of the expected one.
fn is_late(error: &ClientInitializeError) -> bool {
    matches!(
        error,
        ClientInitializeError::UncorrelatedErrorResponse { .. }
            | ClientInitializeError::ConflictInitResponseId(..)
    )
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
        }) => (name.as_str(), value.expose().to_owned()),
        Some(Auth::Bearer { token }) => ("Authorization", format!("Bearer {}", token.expose())),
        Some(Auth::Basic { user, password }) => {
            let pair = STANDARD.encode(format!("{user}:{}", password.expose()));
            ("Authorization", format!("Basic {pair}"))
        }
        Some(_) => {
            return Err(
                "an MCP server takes `auth` of the kind api_key (in a header), bearer or basic"
                    .to_owned(),
            );
        }
    };
    match (HeaderName::try_from(name), HeaderValue::try_from(value)) {
        (Ok(header), Ok(mut value)) => {
            value.set_sensitive(true);
            Ok(HashMap::from([(header, value)]))
        }
        (Err(_), _) | (_, Err(_)) => Err(format!(
            "the header {name:?} or its value has characters that HTTP forbids"
        )),
    }
}
