//! Gives the model the gig, its figures and candidates before each question, and a list of older questions.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::assistant::ContextLoader;
use frontdesk_core::conversation::Conversation;

use super::domain::prompt;
use super::store::{GigError, Gigs};

/// The design sends this many messages; of older ones the questions are listed.
pub(super) const LAST_MESSAGES: usize = 10;
const LONGEST_QUESTION: usize = 80;

pub(super) struct GigContextLoader {
    pub(super) gigs: Arc<Gigs>,
}

#[async_trait]
impl ContextLoader for GigContextLoader {
    async fn load(&self, principal: &Principal, conversation: &Conversation) -> Option<String> {
        let loaded = match self.gigs.of(principal, conversation).await {
            Ok(loaded) => loaded,
            Err(error @ (GigError::NotFound | GigError::Forbidden)) => {
                tracing::warn!(conversation.id = %conversation.id, "the conversation has no readable gig: {error}");
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
        let mut text = prompt::context(&loaded.pool);
        let newest = LAST_MESSAGES as i64;
        if conversation.message_count > newest {
            let earlier = self
                .gigs
                .earlier_questions(principal, conversation.id, newest)
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

/// The questions before the messages that are sent.
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
