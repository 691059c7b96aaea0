//! Adds to a tool of the manifest what only gate passes have: the context of the conversation, cards
//! and texts. It checks the role again before any request is sent.

use std::sync::Arc;

use async_trait::async_trait;
use chrono_tz::Tz;
use frontdesk_connect::{ErrorInfo, ErrorType, HttpTool};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::tool::{ToolContext, ToolDef, ToolError, ToolErrorKind};
use frontdesk_core::toolbox::RunByData;
use serde_json::{Map, Value, json};

use super::context::{ConversationContext, Mention};
use super::pass_cards;
use super::replies::Call;

/// All roles of the assistant.
pub(super) const EVERYONE: &[Role] = &[Role::HR_USER, Role::ADMIN_USER, Role::GATE_USER];

/// One tool.
pub(super) struct Runner {
    tool: Arc<HttpTool>,
    zone: Tz,
}

#[async_trait]
impl RunByData for Runner {
    async fn run(
        &self,
        def: &ToolDef,
        ctx: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        check_role(def, ctx.principal())?;
        let context = ConversationContext::of(&ctx.conversation().metadata);
        match self.carry_out(def, ctx, &arguments).await {
            Ok((result, summary)) => {
                let mention = Mention::in_result(&result);
                context.after(&def.name, mention).remember(ctx);
                for card in pass_cards::of(&result, ctx.principal()) {
                    ctx.show(card);
                }
                Ok((result, summary))
            }
            Err(error) => {
                // The same request can still succeed after a correction or a wait.
                if matches!(error.kind, ToolErrorKind::Invalid | ToolErrorKind::Failed) {
                    context.interrupted(&arguments).remember(ctx);
                }
                Err(error)
            }
        }
    }
}

impl Runner {
    pub(super) fn new(tool: Arc<HttpTool>, zone: Tz) -> Self {
        Self { tool, zone }
    }

    async fn carry_out(
        &self,
        def: &ToolDef,
        ctx: &ToolContext,
        arguments: &Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        let mut result = self.tool.call(def, ctx, arguments).await?;
        let files = std::mem::take(&mut result.files);
        let operation = self.tool.operation();
        let call = Call {
            operation,
            arguments,
            zone: self.zone,
        };
        match call.render(result) {
            Ok(rendered) => {
                files.into_iter().for_each(|file| ctx.attach(file));
                Ok(rendered)
            }
            Err(problem) => Err(self.tool.unusable(problem, def, ctx, arguments).await),
        }
    }
}

/// The grant has already checked the role; this repeats the check right before a request is sent.
pub(super) fn check_role(def: &ToolDef, principal: &Principal) -> Result<(), ToolError> {
    if principal.holds_any(&def.spec.roles) {
        return Ok(());
    }
    let needed: Vec<&str> = def.spec.roles.iter().map(Role::as_str).collect();
    let held: Vec<&str> = principal.roles().iter().map(Role::as_str).collect();
    let info = if principal.holds_any(EVERYONE) {
        ErrorInfo::new(
            ErrorType::PermissionDenied,
            format!(
                "{} needs the role {}; you are signed in as {}.",
                def.name,
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
        .context("tool", def.name.as_ref())
        .context("required_roles", json!(needed))
        .context("roles", json!(held));
    Err(info.into_error(ToolErrorKind::Refused))
}

#[cfg(test)]
#[path = "runner_tests.rs"]
mod runner_tests;
