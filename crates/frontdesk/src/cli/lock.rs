//! The lock on a data folder. The operating system releases it when the server dies. The file holds
//! the server's address.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;

use anyhow::Context;

use crate::app::make_data_dir;

const FILE: &str = "server.lock";

/// Released when dropped.
pub(super) struct Lock {
    _file: File,
}

pub(super) enum FolderOwner {
    Ours(Lock),
    /// Owned by another server at this address.
    By(String),
}

pub(super) fn take(data_dir: &Path, url: &str) -> anyhow::Result<FolderOwner> {
    make_data_dir(data_dir)?;
    let path = data_dir.join(FILE);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .with_context(|| format!("cannot open {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => {
            file.set_len(0)?;
            file.write_all(url.as_bytes())?;
            Ok(FolderOwner::Ours(Lock { _file: file }))
        }
        Err(TryLockError::WouldBlock) => Ok(FolderOwner::By(address(&mut file)?)),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock {}", path.display()))
        }
    }
}

/// The address of the server that currently owns the folder.
pub(super) fn owner(data_dir: &Path) -> anyhow::Result<Option<String>> {
    let Ok(mut file) = File::open(data_dir.join(FILE)) else {
        return Ok(None);
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => Ok(Some(address(&mut file)?)),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

fn address(file: &mut File) -> anyhow::Result<String> {
    let mut url = String::new();
    file.read_to_string(&mut url)?;
    Ok(url.trim().to_owned())
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod lock_tests;
