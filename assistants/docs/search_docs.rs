//! The one tool: finds passages for a question. The rights of the person decide which
//! documents are searched, never the model.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use frontdesk_core::search::{Query, RetrievalResult, RetrievedChunk, Scopes, Search, SearchError};
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::config::{AgentConfig, DEMO_COLLECTION};
use super::retrieval::RetrievalToolResponse;
use super::{answer, selection};

const TIMEOUT: Duration = Duration::from_secs(20);

pub(super) struct SearchDocs {
    pub(super) search: Arc<dyn Search>,
    pub(super) config: AgentConfig,
    pub(super) public_url: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The question or keywords to search for, in the language of the documents.
    #[schemars(length(min = 1, max = 2_000))]
    query: String,
    /// How many passages to return.
    #[serde(default)]
    #[schemars(range(min = 1, max = 20))]
    top_k: Option<u8>,
    /// Only documents with these values of metadata, e.g. {"folder": "hr"}. Only if the person names such a part of the documents.
    #[serde(default)]
    filters: BTreeMap<String, String>,
    /// Only this document: the `url` of a result. Use it with a high top_k to read more of a document whose passage stops before the answer.
    #[serde(default)]
    #[schemars(length(min = 1, max = 2_000))]
    url: Option<String>,
}

impl Tool for SearchDocs {
    const NAME: &'static str = "search_docs";
    type Args = Args;
    type Output = RetrievalToolResponse;

    fn spec() -> ToolSpec {
        ToolSpec::read("Search the documents for passages that answer a question. Call it before answering anything about the documents; not for greetings, thanks or the weather.")
            .title("Search the documents")
            .timeout(TIMEOUT)
            .example("How many days of leave do I have?", json!({ "query": "How many days of leave do I have?" }))
            .example("search the documents for \"remote work\"", json!({ "query": "remote work" }))
            .example("what does the handbook say about parking", json!({ "query": "what does the handbook say about parking" }))
    }

    async fn call(
        &self,
        ctx: &ToolContext,
        args: Args,
    ) -> Result<RetrievalToolResponse, ToolError> {
        if args.query.trim().is_empty() {
            return Err(ToolError::invalid("query", "write what to look for"));
        }
        let top_k = args.top_k.map_or(self.config.top_k_retrieval, usize::from);
        let response = match selection::of(ctx.conversation()) {
            Some(selected) => selection::search(selected, &args.query, top_k, &self.public_url),
            None => self.look_up(ctx, args, top_k).await,
        };
        for result in &response.results {
            ctx.cite(result.source());
        }
        Ok(response)
    }

    fn summary(output: &RetrievalToolResponse) -> String {
        answer::quoted(output)
    }
}

impl SearchDocs {
    async fn look_up(&self, ctx: &ToolContext, args: Args, top_k: usize) -> RetrievalToolResponse {
        let query = Query {
            top_k,
            score_threshold: self.config.retrieval_score_threshold,
            metadata: args.filters.into_iter().collect(),
            url_prefix: args.url,
            ..Query::new(args.query, String::new(), Scopes::of(ctx.principal()))
        };
        let begin = Instant::now();
        match self.search_collections(&query).await {
            Ok(result) => {
                self.log(&query.text, result.chunks.len());
                RetrievalToolResponse::found(result)
            }
            Err(error) => {
                log_failure(&error);
                RetrievalToolResponse::failed(query.text, &error, begin.elapsed().as_secs_f64())
            }
        }
    }

    /// Searches the collections of the settings, best passages first. The handbook of the demo
    /// answers only where they do not.
    async fn search_collections(&self, query: &Query) -> Result<RetrievalResult, SearchError> {
        let begin = Instant::now();
        let (mut chunks, mut note) = (Vec::new(), None);
        for collection in &self.config.collections {
            let found = self.search_one(query, collection).await?;
            chunks.extend(found.chunks);
            note = note.or(found.note);
        }
        if self.config.collections.len() > 1 {
            let score = |chunk: &RetrievedChunk| chunk.similarity_score;
            chunks.sort_by(|a, b| score(b).total_cmp(&score(a)));
            chunks.truncate(query.top_k);
        }
        if chunks.is_empty() {
            chunks = self.search_one(query, DEMO_COLLECTION).await?.chunks;
        }
        let seconds = begin.elapsed().as_secs_f64();
        let mut result = RetrievalResult::new(query.text.clone(), chunks, seconds);
        result.note = note;
        Ok(result)
    }

    async fn search_one(
        &self,
        query: &Query,
        collection: &str,
    ) -> Result<RetrievalResult, SearchError> {
        let query = Query {
            collection: collection.to_owned(),
            ..query.clone()
        };
        self.search.search(&query).await
    }

    /// Questions are people's own words: they are logged only if an operator asks for it.
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
