//! What the model is told of the gig before each question: task, figures, candidates, and what was
//! asked long ago.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::assistant::ContextLoader;
use frontdesk_core::conversation::Conversation;

use super::domain::prompt;
use super::store::{GigError, Gigs};

/// Messages beyond this many are told as a summary.
const REMEMBERED_WHOLE: i64 = 50;
const LONGEST_QUESTION: usize = 80;

pub(super) struct GigFacts {
    pub(super) gigs: Arc<Gigs>,
}

#[async_trait]
impl ContextLoader for GigFacts {
    async fn load(&self, principal: &Principal, conversation: &Conversation) -> Option<String> {
        let seen = match self.gigs.of(principal, conversation).await {
            Ok(seen) => seen,
            Err(error @ (GigError::NotFound | GigError::Forbidden)) => {
                tracing::warn!(conversation.id = %conversation.id, "no gig to tell of: {error}");
                return Some(
                    "Задание не найдено или недоступно: о кандидатах ничего не известно."
                        .to_owned(),
                );
            }
            Err(GigError::Db(error)) => {
                tracing::error!(conversation.id = %conversation.id, "the gig cannot be read: {error}");
                return None;
            }
        };
        let mut text = prompt::context(&seen.pool);
        if conversation.message_count > REMEMBERED_WHOLE {
            let earlier = self
                .gigs
                .earlier_questions(principal, conversation.id, REMEMBERED_WHOLE)
                .await
                .inspect_err(|error| tracing::warn!("earlier questions cannot be read: {error}"))
                .unwrap_or_default();
            text.push_str(&summary(&earlier));
        }
        Some(text)
    }

    fn is_passing(&self) -> bool {
        true
    }
}

/// The questions of the part of a conversation that is not told any more.
fn summary(questions: &[String]) -> String {
    if questions.is_empty() {
        return String::new();
    }
    let mut text = "\n\n## Раньше спрашивали\n".to_owned();
    for question in questions {
        text.push_str("- ");
        text.push_str(&prompt::quoted(question, LONGEST_QUESTION));
        text.push('\n');
    }
    text
}
