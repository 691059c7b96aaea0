//! The environment of a measurement: a folder, a database with durable settings, and the
//! servers on it.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueEnum;
use frontdesk_bench::child::{self, Child};
use frontdesk_testkit::postgres::PrivateCluster;
use tempfile::TempDir;

use crate::ours::SECRET;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backing {
    Sqlite,
    Postgres,
}

impl Backing {
    pub fn name(self) -> &'static str {
        match self {
            Backing::Sqlite => "sqlite",
            Backing::Postgres => "postgres",
        }
    }

    pub fn settings(self) -> &'static str {
        match self {
            Backing::Sqlite => "SQLite, WAL, synchronous=FULL",
            Backing::Postgres => "PostgreSQL, fsync=on, synchronous_commit=on",
        }
    }
}

pub struct Installation {
    pub backing: Backing,
    model: String,
    folder: TempDir,
    cluster: Option<PrivateCluster>,
}

impl Installation {
    pub async fn new(backing: Backing, model: &str) -> Result<Self> {
        let cluster = match backing {
            Backing::Sqlite => None,
            Backing::Postgres => Some(tokio::task::spawn_blocking(PrivateCluster::start).await?),
        };
        let installation = Self {
            backing,
            model: model.to_owned(),
            folder: TempDir::new()?,
            cluster,
        };
        installation.write_config(model)?;
        Ok(installation)
    }

    /// Writes the configuration of this installation for another model.
    pub fn write_config(&self, model: &str) -> Result<PathBuf> {
        let database = match &self.cluster {
            Some(cluster) => format!("[database]\nurl = \"{}\"\n", cluster.url),
            None => String::new(),
        };
        let config = format!(
            "data_dir = {data:?}\ndemo = false\n\
             [server]\nbind = \"127.0.0.1:0\"\n{database}\
             [auth]\njwt_secret = \"{SECRET}\"\n\
             [model]\nprovider = \"openai\"\nbase_url = \"{model}\"\n\
             [limits]\nturns_in_flight = 1000000\n\
             [log]\nlevel = \"warn\"\n",
            data = self.folder.path().join("data"),
        );
        let file = self.folder.path().join("bench.toml");
        std::fs::write(&file, config)?;
        Ok(file)
    }

    pub async fn ours(&self) -> Result<Child> {
        let file = self.write_config(&self.model)?;
        Child::start(&["ours", &file.to_string_lossy()]).await
    }

    pub async fn baseline(&self) -> Result<Child> {
        let database = match &self.cluster {
            Some(cluster) => cluster.url.clone(),
            None => self.folder.path().join("baseline.db").display().to_string(),
        };
        Child::start(&["baseline", &self.model, &database]).await
    }

    /// CPU time of the database server so far; 0 for the embedded database.
    pub fn database_cpu_ms(&self) -> Result<f64> {
        let Some(cluster) = &self.cluster else {
            return Ok(0.0);
        };
        let file = cluster.data_folder().join("postmaster.pid");
        let text = std::fs::read_to_string(file)?;
        let postmaster: u32 = text.lines().next().context("no postmaster")?.parse()?;
        let mut sum = child::cpu_ms_with_children(postmaster)?;
        for entry in std::fs::read_dir("/proc")? {
            let name = entry?.file_name();
            let Some(pid) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else {
                continue;
            };
            let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            let parent = status
                .lines()
                .find_map(|line| line.strip_prefix("PPid:"))
                .and_then(|text| text.trim().parse::<u32>().ok());
            if parent == Some(postmaster) {
                // The parent process counts children that ended meanwhile.
                sum += child::cpu_ms(pid).unwrap_or_default();
            }
        }
        Ok(sum)
    }

    pub async fn remove(self) {
        // Stopping a server blocks for a moment.
        let _ = tokio::task::spawn_blocking(move || drop(self)).await;
    }
}
