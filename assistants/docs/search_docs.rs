//! The one tool: finds passages for a question. Whose documents are searched is decided by
//! who asks, never by the model.

use std::sync::Arc;
use std::time::{Duration, Instant};

use frontdesk_core::search::{Query, Scopes, Search, SearchError};
use frontdesk_core::tool::{Source, Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::config::AgentConfig;
use super::retrieval::{Found, RetrievalToolResponse};
use super::{answer, selection};

/// The most passages that a model may ask for.
const MOST_RESULTS: u8 = 10;
const TIMEOUT: Duration = Duration::from_secs(20);

pub(super) struct SearchDocs {
    pub(super) search: Arc<dyn Search>,
    pub(super) config: AgentConfig,
    pub(super) public_url: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to look for, as a full question or as keywords, in the language of the documents.
    #[schemars(length(min = 1, max = 2_000))]
    query: String,
    /// How many passages to return.
    #[serde(default)]
    #[schemars(range(min = 1, max = 10))]
    top_k: Option<u8>,
}

impl Tool for SearchDocs {
    const NAME: &'static str = "search_docs";
    type Args = Args;
    type Output = RetrievalToolResponse;

    fn spec() -> ToolSpec {
        ToolSpec::read("Search the documents for passages that answer a question. Call it before answering anything about the documents; not for greetings, thanks or the weather.")
            .title("Search the documents")
            .timeout(TIMEOUT)
            .example("How do approvals work?", json!({ "query": "How do approvals work?" }))
            .example("search the documents for \"remote work\"", json!({ "query": "remote work" }))
            .example("what does the handbook say about leases", json!({ "query": "what does the handbook say about leases" }))
    }

    async fn call(
        &self,
        ctx: &ToolContext,
        args: Args,
    ) -> Result<RetrievalToolResponse, ToolError> {
        if args.query.trim().is_empty() {
            return Err(ToolError::invalid("query", "write what to look for"));
        }
        let top_k = args
            .top_k
            .map_or(self.config.top_k_retrieval, usize::from)
            .clamp(1, usize::from(MOST_RESULTS));
        let response = match selection::of(ctx.conversation()) {
            Some(selected) => {
                let found = selection::search(selected, &args.query, top_k, &self.public_url);
                found.results.iter().for_each(|one| ctx.cite(one.source()));
                found
            }
            None => self.look_up(ctx, args.query, top_k).await,
        };
        Ok(response)
    }

    fn summary(output: &RetrievalToolResponse) -> String {
        answer::quoted(output)
    }
}

impl SearchDocs {
    async fn look_up(
        &self,
        ctx: &ToolContext,
        text: String,
        top_k: usize,
    ) -> RetrievalToolResponse {
        let query = Query {
            top_k,
            score_threshold: self.config.retrieval_score_threshold,
            ..Query::new(
                text.clone(),
                self.config.collection_name.clone(),
                Scopes::of(ctx.principal()),
            )
        };
        let begin = Instant::now();
        match self.search.search(&query).await {
            Ok(result) => {
                self.log(&text, result.chunks.len());
                for chunk in &result.chunks {
                    // Citations are checked against the whole passage, not the part shown.
                    ctx.cite(Source {
                        title: Found::from(chunk.clone()).title,
                        url: chunk.url.clone(),
                        score: chunk.similarity_score,
                        text: chunk.chunk_text.clone(),
                    });
                }
                RetrievalToolResponse::found(result)
            }
            Err(error) => {
                log_failure(&error);
                RetrievalToolResponse::failed(text, &error, begin.elapsed().as_secs_f64())
            }
        }
    }

    /// Questions are people's own words: they are logged only where an operator asks for it.
    fn log(&self, query: &str, results: usize) {
        if self.config.verbose {
            tracing::info!(query, results, "documents searched");
        } else {
            tracing::debug!(results, "documents searched");
        }
    }
}

fn log_failure(error: &SearchError) {
    match error {
        SearchError::Invalid(_) => tracing::debug!("a search was refused: {error}"),
        SearchError::Configuration(_)
        | SearchError::Index(_)
        | SearchError::Embedding(_)
        | SearchError::TimedOut => tracing::warn!("documents cannot be searched: {error}"),
    }
}
