//! Where a measurement takes place: a folder, a database with durable settings, and the
//! servers on it.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueEnum;
use frontdesk_testkit::postgres::PrivateCluster;
use serde::Serialize;
use tempfile::TempDir;

use crate::child::{self, Child};
use crate::ours::SECRET;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Backing {
    Sqlite,
    Postgres,
}

impl Backing {
    pub fn settings(self) -> &'static str {
        match self {
            Backing::Sqlite => "SQLite, WAL, synchronous=FULL",
            Backing::Postgres => "PostgreSQL, fsync=on, synchronous_commit=on",
        }
    }
}

pub struct Place {
    pub backing: Backing,
    model: String,
    folder: TempDir,
    cluster: Option<PrivateCluster>,
}

impl Place {
    pub async fn new(backing: Backing, model: &str) -> Result<Self> {
        let cluster = match backing {
            Backing::Sqlite => None,
            Backing::Postgres => Some(tokio::task::spawn_blocking(PrivateCluster::start).await?),
        };
        let place = Self {
            backing,
            model: model.to_owned(),
            folder: TempDir::new()?,
            cluster,
        };
        place.write_config(model)?;
        Ok(place)
    }

    /// The same installation, with another model.
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

    pub async fn floor(&self) -> Result<Child> {
        let database = match &self.cluster {
            Some(cluster) => cluster.url.clone(),
            None => self.folder.path().join("floor.db").display().to_string(),
        };
        Child::start(&["floor", &self.model, &database]).await
    }

    /// CPU time that the database server used so far; none where it is inside ours.
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
                // One that ended meanwhile is counted by its parent.
                sum += child::cpu_ms(pid).unwrap_or_default();
            }
        }
        Ok(sum)
    }

    pub async fn remove(self) {
        // Stopping a server takes a moment that nobody else should wait for.
        let _ = tokio::task::spawn_blocking(move || drop(self)).await;
    }
}
