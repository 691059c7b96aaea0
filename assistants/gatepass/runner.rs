//! Runs every tool of the table with one implementation. It checks the role before any request is
//! sent, and keeps the context of the conversation.

use std::sync::Arc;

use async_trait::async_trait;
use chrono_tz::Tz;
use frontdesk_connect::response::link;
use frontdesk_connect::{ErrorInfo, ErrorType, FileKind, HttpSource, HttpTool};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::tool::{ToolContext, ToolDef, ToolError, ToolErrorKind};
use frontdesk_core::toolbox::RunByData;
use serde_json::{Map, Value, json};

use super::context::ConversationContext;
use super::pass_cards;
use super::replies::{Call, RenderedReply, Reply};
use super::tools::{self, EVERYONE, Entry, PhotoRules};

/// A pass has an exit photo and a return photo; a system may store a few more.
const MOST_PICTURES: usize = 6;

/// State that all tools share.
pub(super) struct Gate {
    pub(super) source: Arc<HttpSource>,
    pub(super) photos: PhotoRules,
    pub(super) zone: Tz,
    /// Roles that approve a deletion; if empty, the person who asks confirms it.
    pub(super) delete_approvers: Vec<Role>,
}

/// One tool of the table.
pub(super) struct Runner {
    entry: &'static Entry,
    zone: Tz,
    tool: HttpTool,
}

#[async_trait]
impl RunByData for Runner {
    async fn run(
        &self,
        def: &ToolDef,
        ctx: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        check_role(self.entry, ctx.principal())?;
        let call = Call {
            entry: self.entry,
            arguments,
        };
        let context = ConversationContext::of(&ctx.conversation().metadata);
        match self.carry_out(def, ctx, &call).await {
            Ok(rendered) => {
                context.after(&call, rendered.mention).remember(ctx);
                for card in pass_cards::of(&rendered.result, ctx.principal()) {
                    ctx.show(card);
                }
                ctx.suggest(self.entry.next.iter().cloned());
                Ok((rendered.result, rendered.summary))
            }
            Err(error) => {
                if may_be_completed(error.kind) {
                    context
                        .interrupted(call.entry, &call.arguments)
                        .remember(ctx);
                }
                Err(error)
            }
        }
    }
}

/// Whether the same request can still succeed after a correction or a wait.
fn may_be_completed(kind: ToolErrorKind) -> bool {
    match kind {
        ToolErrorKind::Invalid | ToolErrorKind::Failed => true,
        ToolErrorKind::Refused | ToolErrorKind::Unknown => false,
    }
}

impl Runner {
    pub(super) fn new(entry: &'static Entry, gate: &Gate) -> Self {
        let operation = entry.operation(Some(&gate.photos));
        Self {
            entry,
            zone: gate.zone,
            tool: HttpTool::new(Arc::clone(&gate.source), operation)
                .listed_by(tools::lists(entry.reply)),
        }
    }

    async fn carry_out(
        &self,
        def: &ToolDef,
        ctx: &ToolContext,
        call: &Call,
    ) -> Result<RenderedReply, ToolError> {
        let mut result = self.tool.call(def, ctx, &call.arguments).await?;
        if let Some(file) = &mut result.file {
            file.name = self.entry.reply.file_name(call, &file.name);
        }
        let file = result.file.take();
        let rendered = self
            .entry
            .reply
            .render(result, file.as_ref(), call, self.zone);
        if let Some(file) = file {
            ctx.attach(file);
        }
        let mut rendered = match rendered {
            Ok(rendered) => rendered,
            Err(failure) => {
                return Err(self.tool.unusable(failure, def, ctx, &call.arguments).await);
            }
        };
        if self.entry.reply == Reply::Photos {
            self.attach_pictures(ctx, call, &mut rendered).await;
        }
        Ok(rendered)
    }

    /// Attaches the pictures to the conversation. The summary says how many could not be loaded.
    async fn attach_pictures(&self, ctx: &ToolContext, call: &Call, rendered: &mut RenderedReply) {
        let photos = rendered.result.get("photos").and_then(Value::as_array);
        let addresses: Vec<String> = photos
            .into_iter()
            .flatten()
            .take(MOST_PICTURES)
            .filter_map(|photo| Some(link(photo)?.to_owned()))
            .collect();
        let number = call.pass_number().unwrap_or("photo");
        let mut files = Vec::new();
        let mut missing = 0;
        for address in addresses {
            let name = format!("{number}-{}", files.len() + 1);
            match self
                .tool
                .fetch_file(ctx, &address, FileKind::Image, &name)
                .await
            {
                Some(file) => {
                    files.push(json!(file.name));
                    ctx.attach(file);
                }
                None => missing += 1,
            }
        }
        if missing > 0 {
            let what = if missing == 1 {
                "A picture"
            } else {
                "Some pictures"
            };
            rendered.summary.push_str(&format!(
                "\n\n{what} could not be fetched; try again in a moment."
            ));
        }
        rendered.result["files"] = Value::Array(files);
    }
}

/// The grant has already checked the role; this repeats the check right before a request is sent.
pub(super) fn check_role(entry: &Entry, principal: &Principal) -> Result<(), ToolError> {
    if principal.holds_any(&entry.roles) {
        return Ok(());
    }
    let needed: Vec<&str> = entry.roles.iter().map(Role::as_str).collect();
    let held: Vec<&str> = principal.roles().iter().map(Role::as_str).collect();
    let info = if principal.holds_any(EVERYONE) {
        ErrorInfo::new(
            ErrorType::PermissionDenied,
            format!(
                "{} needs the role {}; you are signed in as {}.",
                entry.name,
                needed.join(" or "),
                held.join(" and ")
            ),
            "Ask a colleague who has it, or ask me what you can do.",
        )
    } else {
        ErrorInfo::new(
            ErrorType::InvalidRole,
            "Your role is not one that the gate pass system knows.",
            "HR_User, Admin_User and Gate_User may use it; ask your administrator for one of them.",
        )
    };
    let info = info
        .context("tool", entry.name.as_str())
        .context("required_roles", json!(needed))
        .context("roles", json!(held));
    Err(info.into_error(ToolErrorKind::Refused))
}

#[cfg(test)]
#[path = "runner_tests.rs"]
mod runner_tests;
