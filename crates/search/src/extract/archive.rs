//! Reads single members of a zip archive, with a size limit: a zip bomb is never unpacked.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::ExtractError;

pub(super) struct Archive<'a>(ZipArchive<Cursor<&'a [u8]>>);

impl<'a> Archive<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, ExtractError> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
        Ok(Self(archive))
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.0.file_names().map(str::to_owned).collect()
    }

    /// Reads the member of this name. Fails if it has more than `most` bytes.
    pub(super) fn member(
        &mut self,
        name: &str,
        most: usize,
    ) -> Result<Option<Vec<u8>>, ExtractError> {
        let member = match self.0.by_name(name) {
            Ok(member) => member,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(damaged(error)),
        };
        let mut content = Vec::new();
        let read = member.take(most as u64 + 1).read_to_end(&mut content);
        read.map_err(|error| ExtractError::Damaged(error.to_string()))?;
        if content.len() > most {
            return Err(ExtractError::Bomb);
        }
        Ok(Some(content))
    }
}

fn damaged(error: ZipError) -> ExtractError {
    if let ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) = error {
        return ExtractError::Encrypted;
    }
    ExtractError::Damaged(error.to_string())
}
