//! `frontdesk new`: proposes an assistant over an API or an MCP server as a folder of files.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use frontdesk_connect::mcp::{McpClient, McpError, McpServer, McpSource, propose_mcp};
use frontdesk_connect::openapi::{Document, Group, ProposeError, Request, Selection, propose};
use frontdesk_connect::{Proposal, ProposedTool, Timeout};
use frontdesk_core::tool::Effect;
use frontdesk_search::egress::address::AllowedHosts;
use frontdesk_search::egress::{Egress, Limits, SystemResolver};
use reqwest::Url;
use unicode_width::UnicodeWidthStr;

use super::Exit;
use super::paint::Paint;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk new desk --openapi https://desk.example/openapi.json --role Agent\n  frontdesk new desk --openapi openapi.yaml --only tickets,comments\n  frontdesk new files --mcp-command \"npx -y @modelcontextprotocol/server-filesystem /srv/files\"\n  frontdesk new files --mcp-url https://files.example/mcp"
)]
pub(super) struct New {
    /// Name of the assistant: lower-case letters, digits and `-`.
    name: String,
    #[command(flatten)]
    from: Origin,
    /// Folder of the assistants.
    #[arg(long, value_name = "FOLDER", default_value = "assistants.d")]
    dir: PathBuf,
    /// Role that may use all tools.
    #[arg(long, value_name = "ROLE", default_value = "User")]
    role: String,
    /// Import only these groups of operations: tags, or first segments of paths.
    #[arg(
        long,
        value_name = "GROUP",
        value_delimiter = ',',
        requires = "openapi"
    )]
    only: Vec<String>,
    /// Import every operation of a large document.
    #[arg(long, requires = "openapi", conflicts_with = "only")]
    all: bool,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Origin {
    /// OpenAPI 3.0 or 3.1 document, JSON or YAML.
    #[arg(long, value_name = "FILE|URL")]
    openapi: Option<String>,
    /// Program that speaks MCP on its standard input and output, with its arguments.
    #[arg(long, value_name = "COMMAND")]
    mcp_command: Option<String>,
    /// Address of an MCP server.
    #[arg(long, value_name = "URL")]
    mcp_url: Option<String>,
}

impl New {
    pub(super) async fn run(self) -> anyhow::Result<Exit> {
        check_name(&self.name)?;
        let folder = self.dir.join(&self.name);
        if folder.exists() {
            bail!(
                "{} exists already; choose another name or remove the folder",
                folder.display()
            );
        }
        let proposal = match &self.from.openapi {
            Some(place) => self.read_openapi(place).await?,
            None => self.read_mcp().await?,
        };
        write_files(&folder, &proposal)?;
        print(&proposal);
        println!(
            "\nWrote {}. Read it, then run: frontdesk check",
            folder.display()
        );
        Ok(Exit::Done)
    }

    async fn read_openapi(&self, place: &str) -> anyhow::Result<Proposal> {
        let (text, origin) = read_document(place).await?;
        let document = Document::parse(&text).with_context(|| place.to_owned())?;
        let selection = match (self.all, self.only.as_slice()) {
            (true, _) => Selection::All,
            (false, []) => Selection::Unspecified,
            (false, only) => Selection::Only(only.to_vec()),
        };
        let request = |selection| Request {
            name: &self.name,
            role: &self.role,
            origin: origin.as_ref(),
            selection,
        };
        match propose(&document, &request(selection)) {
            Ok(proposal) => Ok(proposal),
            Err(ProposeError::TooMany(groups)) => {
                let chosen = choose(&groups)?;
                Ok(propose(&document, &request(chosen))?)
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn read_mcp(&self) -> anyhow::Result<Proposal> {
        let command = self.from.mcp_command.as_deref().unwrap_or_default();
        let command = shlex::split(command).context("the command has an unclosed quote")?;
        let source = McpSource {
            mcp: McpServer {
                command,
                url: self.from.mcp_url.clone(),
                ..McpServer::default()
            },
            name: format!("the {} server", self.name.replace('-', " ")),
            timeout: Timeout::default(),
        };
        let client = McpClient::new(source, inherited_environment())?;
        match propose_mcp(&client, &self.name, &self.role).await {
            Ok(proposal) => Ok(proposal),
            Err(McpError::Unavailable { cause, .. }) => {
                bail!("the MCP server is not available: {cause}")
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The environment that programs of MCP servers get besides the declared one.
fn inherited_environment() -> BTreeMap<String, String> {
    let inherited = |name: &str| ["PATH", "HOME", "LANG", "TMPDIR"].contains(&name);
    std::env::vars()
        .filter(|(name, _)| inherited(name))
        .collect()
}

fn check_name(name: &str) -> anyhow::Result<()> {
    const MAX_NAME: usize = 40;
    let plain = name
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !plain || !begins || name.len() > MAX_NAME {
        bail!(
            "{name:?} is no name for an assistant; use up to {MAX_NAME} lower-case letters, digits and `-`, with a letter first"
        );
    }
    Ok(())
}

/// The document's text, and its address if it was fetched.
/// An OpenAPI document by address or from a file.
pub(super) async fn read_document(place: &str) -> anyhow::Result<(String, Option<Url>)> {
    if !place.starts_with("https://") && !place.starts_with("http://") {
        let bytes = std::fs::read(place).with_context(|| format!("cannot read {place}"))?;
        return Ok((String::from_utf8_lossy(&bytes).into_owned(), None));
    }
    const MAX_BYTES: usize = 32 * 1024 * 1024;
    let url = Url::parse(place).with_context(|| format!("{place} is not an address"))?;
    // The operator names this host, so it may be a private one; redirects to others may not.
    let host = url.host_str().unwrap_or_default().to_owned();
    let limits = Limits {
        time: Duration::from_secs(30),
        bytes: MAX_BYTES,
        ..Limits::API_REQUEST
    };
    let egress = Egress::new(AllowedHosts::new([host]), limits, Arc::new(SystemResolver))?;
    let page = egress
        .fetch(&url, None)
        .await
        .with_context(|| format!("cannot fetch {place}"))?;
    Ok((String::from_utf8_lossy(&page.bytes).into_owned(), Some(url)))
}

/// Asks which groups to import. A script must name them.
fn choose(groups: &[Group]) -> anyhow::Result<Selection> {
    let operations: usize = groups.iter().map(|group| group.operations).sum();
    eprintln!(
        "The document has {operations} operations in {} groups:",
        groups.len()
    );
    for (number, group) in groups.iter().enumerate() {
        eprintln!("{:>4}  {} ({})", number + 1, group.name, group.operations);
    }
    if !std::io::stdin().is_terminal() {
        bail!("choose with --only GROUP,… or import everything with --all");
    }
    eprint!("Import which groups? Numbers with commas, or \"all\": ");
    std::io::stderr().flush()?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    if line.trim() == "all" {
        return Ok(Selection::All);
    }
    let mut only = Vec::new();
    for part in line
        .split([',', ' '])
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let number: Option<usize> = part.parse().ok();
        let group = number.and_then(|number| groups.get(number.checked_sub(1)?));
        let group =
            group.with_context(|| format!("there is no group {part}; nothing was written"))?;
        only.push(group.name.clone());
    }
    if only.is_empty() {
        bail!("no group was chosen; nothing was written");
    }
    Ok(Selection::Only(only))
}

/// Writes next to the final folder first, so that an interrupted command leaves no half assistant.
fn write_files(folder: &Path, proposal: &Proposal) -> anyhow::Result<()> {
    let part = folder.with_extension("part");
    let failed = || format!("cannot write {}", folder.display());
    std::fs::create_dir_all(&part).with_context(failed)?;
    for (name, text) in [
        ("assistant.toml", &proposal.manifest),
        ("instructions.md", &proposal.instructions),
        ("phrasings.txt", &proposal.phrasings),
    ] {
        std::fs::write(part.join(name), text).with_context(failed)?;
    }
    std::fs::rename(&part, folder).with_context(failed)
}

fn print(proposal: &Proposal) {
    let paint = Paint::for_stdout();
    let rows: Vec<[String; 5]> = proposal.tools.iter().map(row).collect();
    let header = ["tool", "request", "effect", "asks", "why"].map(str::to_owned);
    let widths: [usize; 5] = std::array::from_fn(|column| {
        let cells = rows.iter().chain([&header]).map(|row| row[column].width());
        cells.max().unwrap_or_default()
    });
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| {
            format!("{cell}{}", " ".repeat(width.saturating_sub(cell.width())))
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    println!("{}", paint.bold(&line(&header)));
    for (row, tool) in rows.iter().zip(&proposal.tools) {
        let text = line(row);
        println!(
            "{}",
            if tool.doubtful {
                paint.accent(&text)
            } else {
                text
            }
        );
    }
    if !proposal.left_out.is_empty() {
        println!(
            "\n{}",
            paint.bold(&format!("Left out ({}):", proposal.left_out.len()))
        );
        for one in &proposal.left_out {
            println!("  {}: {}", one.request, one.reason);
        }
    }
    if !proposal.notes.is_empty() {
        println!("\n{}", paint.bold("Please check:"));
        for note in &proposal.notes {
            println!("  {note}");
        }
    }
}

fn row(tool: &ProposedTool) -> [String; 5] {
    let effect = match tool.effect {
        Effect::Read => "reads",
        Effect::Idempotent => "writes, repeatable",
        Effect::Transactional | Effect::AtMostOnce => "writes",
    };
    let asks = match (tool.effect.writes(), tool.always_asks) {
        (false, _) => "",
        (true, true) => "always",
        (true, false) => "unless ordered",
    };
    let mark = if tool.doubtful { " (check)" } else { "" };
    [
        tool.name.clone(),
        tool.request.clone(),
        effect.to_owned(),
        asks.to_owned(),
        format!("{}{mark}", tool.reason),
    ]
}
