//! The tool that searches an assistant's collections. The person's rights decide what is found.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::search::{Query, Scopes, Search, SearchError};
use frontdesk_core::tool::{Source, ToolContext, ToolDef, ToolError, ToolSpec};
use frontdesk_core::toolbox::RunByData;
use serde_json::{Map, Value, json};

const NAME: &str = "search_documents";
const TIMEOUT: Duration = Duration::from_secs(20);
const PASSAGES: usize = 5;

pub(super) fn tool(
    collections: &[String],
    search: &Arc<dyn Search>,
) -> (ToolDef, Arc<dyn RunByData>) {
    let spec = ToolSpec::read(
        "Search the documents for passages that answer a question. Call it before answering anything about them.",
    )
    .title("Search the documents")
    .timeout(TIMEOUT);
    let def = ToolDef {
        name: NAME.into(),
        parameters: json!({
            "type": "object",
            "properties": { "query": {
                "type": "string", "minLength": 1, "maxLength": 2000,
                "description": "The question or keywords, in the language of the documents.",
            } },
            "required": ["query"],
            "additionalProperties": false,
        }),
        spec,
    };
    let runner = SearchDocuments {
        collections: collections.to_vec(),
        search: Arc::clone(search),
    };
    (def, Arc::new(runner))
}

struct SearchDocuments {
    collections: Vec<String>,
    search: Arc<dyn Search>,
}

#[async_trait]
impl RunByData for SearchDocuments {
    async fn run(
        &self,
        _: &ToolDef,
        ctx: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        let text = arguments.get("query").and_then(Value::as_str);
        let text = text.unwrap_or_default();
        let (mut chunks, mut found_in) = (Vec::new(), 0.0);
        for collection in &self.collections {
            let query = Query {
                top_k: PASSAGES,
                ..Query::new(text, collection, Scopes::of(ctx.principal()))
            };
            let found = self.search.search(&query).await.map_err(failed)?;
            chunks.extend(found.chunks);
            found_in += found.execution_time_seconds;
        }
        chunks.sort_by(|a, b| b.similarity_score.total_cmp(&a.similarity_score));
        chunks.truncate(PASSAGES);
        let (mut results, mut titles) = (Vec::new(), Vec::new());
        for chunk in &chunks {
            let title = chunk.title.as_deref().unwrap_or(&chunk.url);
            results.push(json!({
                "text": chunk.context.as_ref().unwrap_or(&chunk.chunk_text),
                "url": chunk.url, "title": title, "score": chunk.similarity_score,
            }));
            ctx.cite(Source {
                title: title.to_owned(),
                url: chunk.url.clone(),
                score: chunk.similarity_score,
                text: chunk.chunk_text.clone(),
            });
            titles.push(title);
        }
        let summary = match titles.is_empty() {
            true => "No document says anything about this.".to_owned(),
            false => format!("Found in: {}.", titles.join(", ")),
        };
        // The fields by which the core recognises search results.
        let result = json!({
            "results": results, "total": chunks.len(), "query": text,
            "execution_time": found_in,
        });
        Ok((result, summary))
    }
}

fn failed(error: SearchError) -> ToolError {
    match error {
        SearchError::Invalid(problem) => ToolError::invalid("query", &problem),
        SearchError::Configuration(_)
        | SearchError::Index(_)
        | SearchError::Embedding(_)
        | SearchError::TimedOut => ToolError::failed(error),
    }
}
