//! Phases: the model moves on with a tool `enter_NAME`, which needs what the phase needs.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::phase::{Phase, PhaseSpec};
use frontdesk_core::tool::{ToolContext, ToolDef, ToolError, ToolSpec};
use frontdesk_core::toolbox::RunByData;
use serde_json::{Map, Value, json};

use super::format::PhaseEntry;

pub(super) fn phase(entry: &PhaseEntry) -> PhaseSpec {
    PhaseSpec {
        phase: Phase::stored(entry.name.clone()),
        aliases: &[],
        instructions: entry.instructions.clone().into(),
    }
}

/// The tool that moves to a phase. It exists in the other phases only.
pub(super) fn enter_tool(
    entry: &PhaseEntry,
    all: &[PhaseEntry],
) -> Option<(ToolDef, Arc<dyn RunByData>)> {
    let when = entry.when.as_ref()?;
    let others = all.iter().filter(|other| other.name != entry.name);
    let mut spec =
        ToolSpec::transactional(format!("Moves the conversation to {}: {when}", entry.name))
            .title(format!("Go on to {}", entry.name.replace('_', " ")))
            .phases(others.map(|other| Phase::stored(other.name.clone())))
            .undoable();
    for tool in &entry.needs {
        spec = spec.needs_tool(tool.clone());
    }
    let def = ToolDef {
        name: format!("enter_{}", entry.name).into(),
        parameters: json!({
            "type": "object",
            "properties": { "reason": { "type": "string", "description": "Why, in one sentence." } },
            "additionalProperties": false,
        }),
        spec,
    };
    let runner = EnterPhase {
        phase: Phase::stored(entry.name.clone()),
    };
    Some((def, Arc::new(runner)))
}

struct EnterPhase {
    phase: Phase,
}

#[async_trait]
impl RunByData for EnterPhase {
    async fn run(
        &self,
        _: &ToolDef,
        ctx: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        let reason = arguments.get("reason").and_then(Value::as_str);
        ctx.move_to(self.phase.clone(), reason.unwrap_or_default());
        let summary = format!("This conversation is now in the phase {}.", self.phase);
        Ok((json!({ "phase": self.phase }), summary))
    }
}
