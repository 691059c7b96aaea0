//! The result of a run. Its field names are stable: scripts parse them.

use std::time::Instant;

use frontdesk_core::search::SearchError;
use serde::Serialize;

use super::{IngestError, IngestOutcome};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ErrorType {
    #[serde(rename = "http_error")]
    Http,
    #[serde(rename = "parse_error")]
    Parse,
    #[serde(rename = "embedding_error")]
    Embedding,
    #[serde(rename = "storage_error")]
    Storage,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedUrl {
    pub url: String,
    pub error_type: ErrorType,
    pub message: String,
}

impl FailedUrl {
    pub(crate) fn new(url: &str, error_type: ErrorType, message: impl ToString) -> Self {
        Self {
            url: url.to_owned(),
            error_type,
            message: message.to_string(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Documents indexed, or to be indexed in a dry run.
    pub success: usize,
    pub failed: Vec<FailedUrl>,
    pub unchanged: usize,
    /// Documents without content to index.
    pub skipped: usize,
    /// Documents removed because their source no longer has them.
    pub removed: usize,
    /// Documents that their source no longer has, kept without `prune`.
    pub vanished: usize,
    pub total_chunks: usize,
    pub total_tokens: u64,
    pub time_seconds: f64,
    /// From 0 to 1, over the attempted documents.
    pub success_rate: f64,
    pub dry_run: bool,
    #[serde(skip)]
    begin: Option<Instant>,
}

impl Report {
    pub(crate) fn begin(dry_run: bool) -> Self {
        Self {
            success: 0,
            failed: Vec::new(),
            unchanged: 0,
            skipped: 0,
            removed: 0,
            vanished: 0,
            total_chunks: 0,
            total_tokens: 0,
            time_seconds: 0.0,
            success_rate: 1.0,
            dry_run,
            begin: Some(Instant::now()),
        }
    }

    /// Returns an error if the index is unreachable, which ends the run.
    pub(crate) fn add(
        &mut self,
        taken: Result<IngestOutcome, IngestError>,
    ) -> Result<(), SearchError> {
        match taken {
            Ok(IngestOutcome::Done { chunks, tokens }) => {
                self.success += 1;
                self.total_chunks += chunks;
                self.total_tokens += tokens;
            }
            Ok(IngestOutcome::Unchanged) => self.unchanged += 1,
            Ok(IngestOutcome::Skipped) => self.skipped += 1,
            Err(IngestError::Document(failed)) => self.failed.push(failed),
            Err(IngestError::Index(url, error)) => {
                tracing::warn!(url, "indexing stopped: {error}");
                return Err(error);
            }
        }
        Ok(())
    }

    pub(crate) fn end(mut self) -> Self {
        self.time_seconds = self
            .begin
            .take()
            .map_or(0.0, |begin| begin.elapsed().as_secs_f64());
        self.with_success_rate()
    }

    fn with_success_rate(mut self) -> Self {
        let done = self.success + self.unchanged;
        self.success_rate = match done + self.failed.len() {
            0 => 1.0,
            tried => done as f64 / tried as f64,
        };
        self
    }

    /// Merges the reports of several sources.
    pub fn plus(mut self, other: Report) -> Report {
        self.success += other.success;
        self.failed.extend(other.failed);
        self.unchanged += other.unchanged;
        self.skipped += other.skipped;
        self.removed += other.removed;
        self.vanished += other.vanished;
        self.total_chunks += other.total_chunks;
        self.total_tokens += other.total_tokens;
        self.time_seconds += other.time_seconds;
        self.with_success_rate()
    }
}
