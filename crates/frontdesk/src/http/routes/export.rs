//! A conversation as a file: Markdown or PDF.

use axum::response::Response;
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::ConversationId;
use frontdesk_core::store::{Speaker, StoredMessage};
use frontdesk_print::{Align, Block, Fonts, INK, MUTED, Page, Style, print_text};
use schemars::JsonSchema;
use serde::Deserialize;

use super::attachments::download;
use super::{ApiError, AppState, Caller, Content, Ids, Params, Route};
use crate::http::markdown::one_line;

const PAGE: u32 = 100;
/// The newest messages that a file has.
const MOST_MESSAGES: usize = 2_000;
/// A4, in points.
const A4: (f32, f32) = (595.0, 842.0);
const FILES: &[&str] = &["text/markdown", "application/pdf"];

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum FileFormat {
    Md,
    Pdf,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ExportParams {
    format: FileFormat,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/conversations/{id}/export", export)
            .named("export_conversation", "conversations", "Download a conversation")
            .about("What people and the assistant wrote, with authors and times in UTC. The newest 2,000 messages.")
            .query::<ExportParams>()
            .gives_content(200, "The file", Content::File(FILES))
            .refuses(&[403]),
    ]
}

async fn export(
    Caller { state, who }: Caller,
    Ids(id): Ids<ConversationId>,
    Params(params): Params<ExportParams>,
) -> Result<Response, ApiError> {
    let conversation = state.store().get(&who, id).await?;
    let messages = all_messages(&state, &who, id).await?;
    let assistant = state.runtime().assistant(&who, &conversation.assistant);
    let assistant = assistant.map_or_else(
        |_| conversation.assistant.clone(),
        |assistant| assistant.title.to_string(),
    );
    let thread = Thread {
        conversation,
        assistant,
        messages,
    };
    let title = thread.conversation.title.clone();
    match params.format {
        FileFormat::Md => {
            let bytes = thread.markdown().into_bytes();
            Ok(download(
                "text/markdown; charset=utf-8",
                &format!("{title}.md"),
                bytes,
            ))
        }
        FileFormat::Pdf => {
            let printed = tokio::task::spawn_blocking(move || thread.pdf()).await;
            match printed {
                Ok(Some(bytes)) => Ok(download("application/pdf", &format!("{title}.pdf"), bytes)),
                Ok(None) | Err(_) => {
                    tracing::error!(conversation = %id, "a conversation could not be printed");
                    Err(ApiError::agent_error())
                }
            }
        }
    }
}

/// The newest messages, oldest first.
async fn all_messages(
    state: &AppState,
    who: &Principal,
    id: ConversationId,
) -> Result<Vec<StoredMessage>, ApiError> {
    let mut pages = Vec::new();
    let mut cursor = None;
    let mut count = 0;
    loop {
        let page = state.store().newest_messages(who, id, cursor, PAGE).await?;
        count += page.items.len();
        pages.push(page.items);
        cursor = page.cursor;
        if cursor.is_none() || count >= MOST_MESSAGES {
            break;
        }
    }
    Ok(pages.into_iter().rev().flatten().collect())
}

struct Thread {
    conversation: Conversation,
    /// Its title.
    assistant: String,
    messages: Vec<StoredMessage>,
}

impl Thread {
    fn author<'a>(&'a self, message: &'a StoredMessage) -> &'a str {
        match (message.role, &message.author) {
            (Speaker::Assistant, _) => &self.assistant,
            (Speaker::User, Some(author)) => &author.name,
            (Speaker::User, None) => "",
        }
    }

    fn markdown(&self) -> String {
        let mut out = format!("# {}\n", one_line(&self.conversation.title));
        for message in &self.messages {
            let author = one_line(self.author(message));
            let at = time(message.created_at);
            out.push_str(&format!("\n**{author}** · {at}\n\n"));
            match message.role {
                Speaker::Assistant => out.push_str(message.content.trim_end()),
                // A person's message is text, not Markdown.
                Speaker::User => out.push_str(&quoted(&message.content)),
            }
            out.push('\n');
        }
        out
    }

    /// `None` if there are no fonts.
    fn pdf(&self) -> Option<Vec<u8>> {
        let fonts = Fonts::new(None)?;
        let mut blocks = vec![Block {
            text: one_line(&self.conversation.title),
            style: Style::bold(18.0, INK).align(Align::Start),
            space: 0.0,
        }];
        for message in &self.messages {
            let author = one_line(self.author(message));
            blocks.push(Block {
                text: format!("{author} · {}", time(message.created_at)),
                style: Style::bold(9.0, MUTED).align(Align::Start),
                space: 16.0,
            });
            blocks.push(Block {
                text: match message.role {
                    Speaker::Assistant => plain(&message.content),
                    Speaker::User => message.content.clone(),
                },
                style: Style::regular(10.5, INK).align(Align::Start),
                space: 2.0,
            });
        }
        let written: String = blocks.iter().map(|block| block.text.as_str()).collect();
        let page = Page {
            title: one_line(&self.conversation.title),
            size: A4,
            written: &written,
        };
        let printed = print_text(&fonts, page, &blocks);
        printed.ok().map(|pdf| pdf.bytes)
    }
}

fn time(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}

fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
    lines.join("\n")
}

/// Markdown without its marks: bullets, and the cells of a table with dots between them.
pub(super) fn plain(markdown: &str) -> String {
    let lines = markdown.lines().filter(|line| !is_rule(line));
    lines.map(plain_line).collect::<Vec<_>>().join("\n")
}

/// The line below a table's head.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('|') && line.chars().all(|c| "|-: ".contains(c))
}

fn plain_line(line: &str) -> String {
    let text = line.replace("**", "").replace('`', "");
    let inner = text.trim();
    if let Some(row) = inner.strip_prefix('|') {
        let row = row.strip_suffix('|').unwrap_or(row);
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        return cells.join(" · ");
    }
    if let Some(item) = inner
        .strip_prefix("* ")
        .or_else(|| inner.strip_prefix("- "))
    {
        let indent = text.len() - text.trim_start().len();
        return format!("{}• {item}", " ".repeat(indent));
    }
    match inner.strip_prefix('#') {
        Some(heading) => heading.trim_start_matches('#').trim().to_owned(),
        None => text,
    }
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
