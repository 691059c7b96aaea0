//! The product's server with one more assistant: 22 tools, and no rate limit.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use async_trait::async_trait;
use frontdesk::app::App;
use frontdesk::config::{Config, Sources};
use frontdesk::services::Reach;
use frontdesk::{http, telemetry};
use frontdesk_assistants::SETTINGS;
use frontdesk_bundle::{Bundle, SetupContext, SetupError};
use frontdesk_core::access::Role;
use frontdesk_core::assistant::{Assistant, Limits};
use frontdesk_core::model::ModelSettings;
use frontdesk_core::tool::{ToolContext, ToolDef, ToolError, ToolSpec};
use frontdesk_core::toolbox::{RunByData, Toolbox};
use frontdesk_core::transcript::Window;
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;

pub const SECRET: &str = "a secret for the bench that is long enough";
pub const ASSISTANT: &str = "bench";
pub const SYSTEM: &str =
    "You help people with their orders. Answer briefly and only from what tools return.";
pub const RESULT: &str = r#"{"status":"shipped"}"#;
/// Messages of a conversation in the model's context.
pub const HISTORY: usize = 50;
const TOOLS: usize = 22;

struct Tool;

#[async_trait]
impl RunByData for Tool {
    async fn run(
        &self,
        _: &ToolDef,
        _: &ToolContext,
        _: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        Ok((json!({ "status": "shipped" }), "Shipped.".to_owned()))
    }
}

pub fn tool_defs() -> impl Iterator<Item = ToolDef> {
    (0..TOOLS).map(|number| ToolDef {
        name: format!("tool_{number}").into(),
        parameters: json!({
            "type": "object",
            "properties": { "order": { "type": "string", "description": "The number of the order." } },
            "required": ["order"],
            "additionalProperties": false,
        }),
        spec: ToolSpec::read(format!("Look up part {number} of an order by its number."))
            .roles([Role::BUYER]),
    })
}

pub fn assistants(_: &SetupContext) -> Result<Vec<Bundle>, SetupError> {
    let mut toolbox = Toolbox::builder();
    let runner = Arc::new(Tool);
    for def in tool_defs() {
        toolbox = toolbox.data_tool(def, runner.clone());
    }
    let assistant = Assistant {
        name: ASSISTANT.into(),
        title: "Bench".into(),
        description: "Measured, not used.".into(),
        roles: Vec::new(),
        instructions: SYSTEM.into(),
        phases: Vec::new(),
        toolbox: toolbox.build()?,
        context: Vec::new(),
        reply_schema: None,
        model: ModelSettings {
            model: ASSISTANT.to_owned(),
            temperature: None,
            max_tokens: None,
        },
        limits: Limits {
            window: Window {
                max_messages: HISTORY,
                max_tokens: 10_000_000,
                last_texts: None,
            },
            messages_a_minute: 100_000_000,
            turn: std::time::Duration::from_secs(600),
            ..Limits::default()
        },
        greeting: "".into(),
        suggestions: Vec::new(),
    };
    Ok(vec![Bundle {
        is_default: true,
        ..Bundle::new(assistant, Vec::new())
    }])
}

pub fn install_crypto() {
    // Fails if a provider is already installed, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

pub fn config(file: PathBuf) -> Result<Config> {
    let sources = Sources {
        file: Some(file),
        ..Sources::default()
    };
    Ok(Config::load(sources, SETTINGS, &[])?)
}

pub async fn serve(file: PathBuf) -> Result<()> {
    install_crypto();
    let config = config(file)?;
    telemetry::start(&config.log)?;
    let listener = TcpListener::bind(config.server.bind).await?;
    let address = listener.local_addr()?;
    let app = App::open(config, assistants, Reach::Server(address)).await?;
    println!("http://{address}");
    http::serve(app, listener, std::future::pending()).await
}
