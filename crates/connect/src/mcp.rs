//! Tools of MCP servers: programs on this machine or services on the network.
//!
//! A manifest names each tool and declares its parameters, roles, effect and consent. A server's own
//! list only confirms that a tool exists: nothing that it adds or rewrites reaches a model.

mod child;
mod client;
mod connection;
mod content;
mod operation;
mod propose;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use client::{McpClient, McpError};
pub use operation::{McpOperation, McpTool};
pub use propose::{mcp_drift, propose_mcp};

use crate::auth::Auth;
use crate::source::{Secret, Timeout};

/// An MCP server that offers tools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct McpSource {
    /// How the server is reached.
    pub mcp: McpServer,
    /// Its name in messages to people, e.g. "the file server".
    #[serde(default = "the_server")]
    pub name: String,
    /// The longest wait for one result, e.g. "30s".
    #[serde(default)]
    pub timeout: Timeout,
}

/// A program that Frontdesk starts, or an address: exactly one of `command` and `url`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct McpServer {
    /// The program and its arguments. It speaks MCP on its standard input and output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Environment of the program. It gets nothing else except PATH, HOME, LANG and TMPDIR.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, Secret>,
    /// The address of a server that speaks MCP over streamable HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// How requests to the address prove who they are from: `api_key` in a header, `bearer` or
    /// `basic`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auth>,
}

fn the_server() -> String {
    "the tool server".to_owned()
}

impl McpServer {
    /// The first contradiction, in a sentence for the author.
    pub fn problem(&self) -> Option<String> {
        match (&self.url, self.command.first()) {
            (None, None) => Some("`mcp` needs a `command` or a `url`".to_owned()),
            (Some(_), Some(_)) => Some("`mcp` has both `command` and `url`; keep one".to_owned()),
            (None, Some(_)) if self.auth.is_some() => {
                Some("`auth` is for a `url`; a `command` gets its secrets in `env`".to_owned())
            }
            (Some(_), None) if !self.env.is_empty() => {
                Some("`env` is for a `command`; a `url` has `auth`".to_owned())
            }
            (Some(url), None) => connection::headers(self.auth.as_ref()).err().or_else(|| {
                let known = url.starts_with("https://") || url.starts_with("http://");
                (!known).then(|| format!("{url:?} is not an http or https address"))
            }),
            (None, Some(_)) => None,
        }
    }
}
