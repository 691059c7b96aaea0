//! One search over conversations, documents and the objects of assistants.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use frontdesk_bundle::{FoundObject, ObjectSearch};
use frontdesk_core::access::Principal;
use frontdesk_core::id::ConversationId;
use frontdesk_core::store::{FoundText, SearchWords, TextKind};
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::runtime::{Runtime, RuntimeError};

/// Timeout per assistant; a late one is left out and named.
const TIMEOUT: Duration = Duration::from_secs(2);
/// Objects per assistant.
const MOST_OBJECTS: usize = 5;
/// Several messages of one conversation may match; it is listed once.
const TEXTS_PER_RESULT: u32 = 3;
/// The object searches by assistant.
pub type ObjectSearches = BTreeMap<String, Arc<dyn ObjectSearch>>;

/// Everything that a search found. Only what the person may see.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct SearchResults {
    /// Conversations by their newest match.
    pub conversations: Vec<FoundConversation>,
    /// Objects of assistants, e.g. gate passes; assistants without a match are left out.
    pub objects: Vec<AssistantObjects>,
    /// Assistants whose objects could not be searched now.
    pub unavailable: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct FoundConversation {
    pub id: ConversationId,
    pub assistant: String,
    pub title: String,
    /// The part that has the words.
    pub kind: TextKind,
    /// The message or document; absent if the title matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object_id: Option<Uuid>,
    /// The text around the first word found; for a document, its title before it.
    pub excerpt: String,
    pub at: DateTime<Utc>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssistantObjects {
    pub assistant: String,
    pub title: String,
    pub items: Vec<FoundObject>,
}

impl SearchResults {
    pub async fn load(
        runtime: &Runtime,
        searches: &ObjectSearches,
        who: &Principal,
        query: &str,
        limit: u32,
    ) -> Result<Self, RuntimeError> {
        let mut results = Self {
            conversations: Vec::new(),
            objects: Vec::new(),
            unavailable: Vec::new(),
        };
        let Some(words) = SearchWords::of(query) else {
            return Ok(results);
        };
        let store = runtime.store();
        let (texts, objects) = tokio::join!(
            store.find_texts(who, &words, limit.saturating_mul(TEXTS_PER_RESULT)),
            find_objects(runtime, searches, who, query, &words),
        );
        results.conversations = conversations(texts?, &words, limit);
        for (assistant, found) in objects {
            match found {
                Some(found) if found.items.is_empty() => {}
                Some(found) => results.objects.push(found),
                None => results.unavailable.push(assistant),
            }
        }
        Ok(results)
    }
}

/// Each conversation once, by its newest match.
fn conversations(texts: Vec<FoundText>, words: &SearchWords, limit: u32) -> Vec<FoundConversation> {
    let mut seen = HashSet::new();
    texts
        .into_iter()
        .filter(|text| seen.insert(text.conversation))
        .take(limit as usize)
        .map(|text| FoundConversation {
            id: text.conversation,
            assistant: text.assistant,
            title: text.title,
            kind: text.kind,
            object_id: (text.kind != TextKind::Title).then_some(text.id),
            excerpt: match (text.kind, text.name) {
                (TextKind::Document, Some(name)) => {
                    format!("{name}: {}", words.excerpt(&text.text))
                }
                _ => words.excerpt(&text.text),
            },
            at: text.at,
        })
        .collect()
}

/// The objects of all assistants that this person may use, searched concurrently; `None` from
/// one that failed or took too long.
async fn find_objects(
    runtime: &Runtime,
    searches: &ObjectSearches,
    who: &Principal,
    query: &str,
    words: &SearchWords,
) -> Vec<(String, Option<AssistantObjects>)> {
    let asked = searches.iter().filter_map(|(name, search)| {
        let title = runtime.assistant(who, name).ok()?.title.to_string();
        Some(async move {
            let finding = search.find(who, query, words, MOST_OBJECTS);
            let items = match tokio::time::timeout(TIMEOUT, finding).await {
                Ok(Ok(items)) => items,
                Ok(Err(error)) => {
                    tracing::warn!(assistant = name, %error, "objects could not be searched");
                    return (title, None);
                }
                Err(_) => return (title, None),
            };
            let assistant = name.clone();
            let found = AssistantObjects {
                assistant,
                title: title.clone(),
                items,
            };
            (title, Some(found))
        })
    });
    join_all(asked).await
}
