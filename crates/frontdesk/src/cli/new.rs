//! `frontdesk new`: proposes an assistant over an API or an MCP server as a folder of files.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use frontdesk_connect::manifest::is_name;
use frontdesk_connect::mcp::{McpClient, McpError, McpServer, McpSource, propose_mcp};
use frontdesk_connect::openapi::{Document, Group, ProposeError, Request, Selection, propose};
use frontdesk_connect::{Proposal, ProposedTool, Timeout};
use frontdesk_core::tool::Effect;
use frontdesk_search::egress::address::AllowedHosts;
use frontdesk_search::egress::{Egress, Limits, SystemResolver};
use reqwest::Url;
use unicode_width::UnicodeWidthStr;

use super::paint::Paint;
use super::{Exit, Setup};

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
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        if !is_name(&self.name) {
            bail!(
                "{:?} is no name for an assistant; use up to 40 lower-case letters, digits and `-`, with a letter first",
                self.name
            );
        }
        let folder = self.dir.join(&self.name);
        if folder.exists() {
            bail!(
                "{} exists already; choose another name or remove the folder",
                folder.display()
            );
        }
        let proposal = match &self.from.openapi {
            Some(place) => self.read_openapi(place).await?,
            None => self.read_mcp(&setup).await?,
        };
        write_files(&folder, &proposal)?;
        print(&proposal);
        let set = match proposal.variables.as_slice() {
            [] => String::new(),
            names => format!(", set {} in the environment", names.join(" and ")),
        };
        println!(
            "\nWrote {}. Read it{set}, and run: frontdesk check {}",
            folder.display(),
            self.name
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

    async fn read_mcp(&self, setup: &Setup) -> anyhow::Result<Proposal> {
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
        let client = McpClient::new(
            source,
            setup
                .config(vec![("log.level", "error".to_owned())])?
                .manifests
                .inherited(),
        )?;
        match propose_mcp(&client, &self.name, &self.role).await {
            Ok(proposal) => Ok(proposal),
            Err(McpError::Unavailable { cause, .. }) => {
                bail!("the MCP server is not available: {cause}")
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The text of an OpenAPI document by address or from a file, and its address if it was fetched.
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
    let header = ["tool", "request", "effect", "asks", "why"].map(str::to_owned);
    let rows = proposal.tools.iter().map(row);
    let lines = aligned(std::iter::once(header.to_vec()).chain(rows).collect());
    println!("{}", paint.bold(&lines[0]));
    for (line, tool) in lines[1..].iter().zip(&proposal.tools) {
        match tool.inference.doubtful {
            true => println!("{}", paint.accent(line)),
            false => println!("{line}"),
        }
    }
    let left_out = proposal.left_out.iter();
    let left_out: Vec<String> = left_out
        .map(|one| format!("{}: {}", one.request, one.reason))
        .collect();
    let head = format!("Left out ({}):", left_out.len());
    for (head, lines) in [
        (head.as_str(), &left_out),
        ("Please check:", &proposal.notes),
    ] {
        if !lines.is_empty() {
            println!("\n{}\n  {}", paint.bold(head), lines.join("\n  "));
        }
    }
}

fn row(tool: &ProposedTool) -> Vec<String> {
    let inference = &tool.inference;
    let effect = match inference.effect {
        Effect::Read => "reads",
        Effect::Idempotent => "writes, repeatable",
        Effect::Transactional | Effect::AtMostOnce => "writes",
    };
    let asks = match (inference.effect.writes(), inference.always_asks) {
        (false, _) => "",
        (true, true) => "always",
        (true, false) => "unless ordered",
    };
    let mark = if inference.doubtful { " (check)" } else { "" };
    let why = format!("{}{mark}", inference.reason);
    [tool.name.as_str(), &tool.request, effect, asks, &why]
        .map(str::to_owned)
        .to_vec()
}

/// Rows as lines of which each column begins at the same place.
pub(super) fn aligned(rows: Vec<Vec<String>>) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.width()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| {
            format!("{cell}{}", " ".repeat(width.saturating_sub(cell.width())))
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
