//! What answers look like, and that they name only candidates of their gig.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::reply::{CheckReply, Extras, FinalAnswer, ReplySchema, ReplySchemaError};
use serde_json::{Value, json};

use super::domain::pool::Pool;
use super::store::Gigs;

const MENTIONED: &str = "candidatesMentioned";

/// The design's `aiChatResponseSchema`.
pub(super) fn schema(gigs: &Arc<Gigs>) -> Result<ReplySchema, ReplySchemaError> {
    let schema = ReplySchema::new(json!({
        "type": "object",
        "properties": {
            "message": { "type": "string", "description": "Ответ в Markdown на языке вопроса" },
            "quickReplies": {
                "type": "array", "items": { "type": "string" }, "maxItems": 4,
                "description": "До четырёх коротких продолжений, которые рекрутер может нажать",
            },
            "candidatesMentioned": {
                "type": "array", "items": { "type": "string" },
                "description": "Идентификаторы кандидатов, о которых речь",
            },
            "analysisType": {
                "type": "string",
                "enum": ["single_candidate", "comparison", "ranking", "statistics", "recommendation", "general"],
            },
        },
        "required": ["message"],
        "additionalProperties": false,
    }))?;
    Ok(schema.checked_by(Arc::new(Mentions {
        gigs: Arc::clone(gigs),
    })))
}

/// Keeps ids of this gig's candidates, and adds those whose names the answer says.
struct Mentions {
    gigs: Arc<Gigs>,
}

#[async_trait]
impl CheckReply for Mentions {
    async fn check(&self, said: &FinalAnswer<'_>, mut extras: Extras) -> Extras {
        let named = extras.fields.remove(MENTIONED);
        let seen = match self.gigs.of(said.principal, said.conversation).await {
            Ok(seen) => seen,
            Err(error) => {
                tracing::warn!(conversation.id = %said.conversation.id, "mentioned candidates cannot be checked: {error}");
                return extras;
            }
        };
        let (kept, foreign) = mentioned(&seen.pool, named.as_ref(), said.text);
        if foreign > 0 {
            tracing::warn!(
                conversation.id = %said.conversation.id, gig.id = %seen.pool.gig.id, foreign,
                "an answer mentions candidates that are not of its gig; they are left out"
            );
        }
        if !kept.is_empty() {
            extras.fields.insert(MENTIONED.to_owned(), json!(kept));
        }
        extras
    }
}

/// The ids of candidates that an answer is about, and how many others it named.
fn mentioned(pool: &Pool, named: Option<&Value>, text: &str) -> (Vec<String>, usize) {
    const MOST: usize = 20;
    let mut kept: Vec<String> = Vec::new();
    let mut foreign = 0;
    let mut keep = |id: String| {
        if kept.len() < MOST && !kept.contains(&id) {
            kept.push(id);
        }
    };
    for one in named.and_then(Value::as_array).into_iter().flatten() {
        match one.as_str().and_then(|one| pool.mentioned(one)) {
            Some(candidate) => keep(candidate.id.to_string()),
            None => foreign += 1,
        }
    }
    for candidate in &pool.candidates {
        if candidate.candidate_name.is_some() && text.contains(&candidate.name()) {
            keep(candidate.id.to_string());
        }
    }
    (kept, foreign)
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod reply_tests;
