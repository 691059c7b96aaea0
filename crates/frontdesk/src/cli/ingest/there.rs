//! Sends documents to a server, which indexes them with the rights of the person who asks.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use frontdesk_search::ingest::{Progress, file_address, local_files};
use reqwest::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::remote::{Remote, ServerRefusal};
use super::super::{Exit, print_json};
use super::{Bar, IngestDocuments, WATCHING, is_address, watch};

/// Limits of one form, below those of the server.
const MOST_FILES: usize = 20;
const MOST_BYTES: u64 = 20 * 1024 * 1024;

/// The results of all requests.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct Sum {
    success: u64,
    unchanged: u64,
    skipped: u64,
    removed: u64,
    total_chunks: u64,
    failed: Vec<String>,
}

impl Sum {
    fn add(&mut self, indexed: Value) -> anyhow::Result<()> {
        let more: Sum = serde_json::from_value(indexed)?;
        self.success += more.success;
        self.unchanged += more.unchanged;
        self.skipped += more.skipped;
        self.total_chunks += more.total_chunks;
        self.failed.extend(more.failed);
        Ok(())
    }
}

impl IngestDocuments {
    pub(super) async fn send(&self, remote: &Remote) -> anyhow::Result<Exit> {
        if self.dry_run {
            bail!("--dry-run works only without --server, on the machine of the index");
        }
        if self.prune && !self.watch {
            bail!(
                "with --server, --prune needs --watch: only files that vanish meanwhile are known to be yours"
            );
        }
        let metadata: BTreeMap<&String, &String> =
            self.set.iter().map(|(key, value)| (key, value)).collect();
        let metadata = json!(metadata);
        let mut files = watch::Files::new(&self.sources);
        let mut sum = Sum::default();
        for source in &self.sources {
            if is_address(source) {
                let path = format!("/collections/{}/documents", self.collection);
                let body = json!({ "url": source, "metadata": metadata });
                sum.add(remote.post(&path, &body).await?)?;
            } else {
                let files = local_files(Path::new(source))?;
                self.send_files(remote, files, &metadata, &mut sum).await?;
            }
        }
        self.print_sum(&sum)?;
        if self.watch {
            eprintln!("{WATCHING}");
            loop {
                tokio::time::sleep(watch::PAUSE).await;
                let changes = files.changes();
                if changes.is_empty() {
                    continue;
                }
                match self.follow(remote, changes, &metadata).await {
                    Ok(sum) => self.print_sum(&sum)?,
                    // The server may answer again when the next file changes.
                    Err(error) => eprintln!("{error:#}"),
                }
            }
        }
        Ok(Exit::of(sum.failed.is_empty()))
    }

    async fn follow(
        &self,
        remote: &Remote,
        changes: watch::Changes,
        metadata: &Value,
    ) -> anyhow::Result<Sum> {
        let mut sum = Sum::default();
        self.send_files(remote, changes.changed, metadata, &mut sum)
            .await?;
        if self.prune {
            for name in changes.gone {
                let url = file_address(&self.collection, &name);
                remote.remove_document(&self.collection, &url).await?;
                sum.removed += 1;
            }
        }
        Ok(sum)
    }

    async fn send_files(
        &self,
        remote: &Remote,
        files: Vec<(String, PathBuf)>,
        metadata: &Value,
        sum: &mut Sum,
    ) -> anyhow::Result<()> {
        let bar = Bar::new(self.json);
        bar.found(files.len());
        for form in forms(files) {
            match self.send_form(remote, &form, metadata).await {
                Ok(indexed) => sum.add(indexed)?,
                Err(error) if !is_about_content(&error) => return Err(error),
                // A file that the server refuses does not keep the others out.
                Err(_) => {
                    for file in form.one_by_one() {
                        match self.send_form(remote, &file, metadata).await {
                            Ok(indexed) => sum.add(indexed)?,
                            Err(error) if !is_about_content(&error) => return Err(error),
                            Err(error) => sum.failed.push(format!("{file}: {error:#}")),
                        }
                    }
                }
            }
            for (name, _) in &form.files {
                bar.done(name);
            }
        }
        bar.0.finish_and_clear();
        Ok(())
    }

    async fn send_form(
        &self,
        remote: &Remote,
        form: &UploadForm,
        metadata: &Value,
    ) -> anyhow::Result<Value> {
        let mut content = Vec::new();
        for (name, path) in &form.files {
            let bytes =
                std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            content.push((name.clone(), bytes));
        }
        remote
            .add_files(&self.collection, &form.folder, content, metadata)
            .await
    }

    fn print_sum(&self, sum: &Sum) -> anyhow::Result<()> {
        if self.json {
            return print_json(sum).map(drop);
        }
        println!(
            "{} indexed ({} passages), {} unchanged, {} skipped, {} removed, {} failed. Collection: {}",
            sum.success,
            sum.total_chunks,
            sum.unchanged,
            sum.skipped,
            sum.removed,
            sum.failed.len(),
            self.collection
        );
        for failed in &sum.failed {
            println!("  {failed}");
        }
        Ok(())
    }
}

/// Files of one folder that are sent together.
struct UploadForm {
    folder: String,
    files: Vec<(String, PathBuf)>,
    bytes: u64,
}

impl UploadForm {
    fn one_by_one(&self) -> impl Iterator<Item = UploadForm> {
        self.files.iter().map(|file| UploadForm {
            folder: self.folder.clone(),
            files: vec![file.clone()],
            bytes: 0,
        })
    }
}

/// The path of the first file.
impl Display for UploadForm {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let name = self.files.first().map_or("", |(name, _)| name);
        match self.folder.as_str() {
            "" => write!(to, "{name}"),
            folder => write!(to, "{folder}/{name}"),
        }
    }
}

/// True if the server refused what was sent. Other errors would meet every file.
fn is_about_content(error: &anyhow::Error) -> bool {
    let refusal = error.downcast_ref::<ServerRefusal>();
    refusal.is_some_and(|refusal| {
        matches!(
            refusal.status,
            StatusCode::BAD_REQUEST
                | StatusCode::PAYLOAD_TOO_LARGE
                | StatusCode::UNSUPPORTED_MEDIA_TYPE
                | StatusCode::UNPROCESSABLE_ENTITY
        )
    })
}

/// Groups files by folder, within the limits of a form.
fn forms(files: Vec<(String, PathBuf)>) -> Vec<UploadForm> {
    let mut forms: Vec<UploadForm> = Vec::new();
    for (inside, path) in files {
        let (folder, name) = inside.rsplit_once('/').unwrap_or(("", &inside));
        let size = path.metadata().map_or(0, |data| data.len());
        match forms.last_mut() {
            Some(form)
                if form.folder == folder
                    && form.files.len() < MOST_FILES
                    && form.bytes + size <= MOST_BYTES =>
            {
                form.files.push((name.to_owned(), path));
                form.bytes += size;
            }
            Some(_) | None => forms.push(UploadForm {
                folder: folder.to_owned(),
                files: vec![(name.to_owned(), path)],
                bytes: size,
            }),
        }
    }
    forms
}
