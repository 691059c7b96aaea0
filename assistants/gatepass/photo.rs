//! Photo validation before upload: by content, never by file name, and up to the site's size limit.

use bytes::Bytes;

/// A picture format that a gate pass API accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Jpeg,
    Png,
    Heic,
}

/// The site's rules for photos.
#[derive(Clone, Debug)]
pub(super) struct PhotoRules {
    pub(super) max_bytes: u64,
    pub(super) formats: Vec<Format>,
}

/// A photo that passed validation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Photo {
    pub(super) format: Format,
    pub(super) bytes: Bytes,
}

/// Why a file is refused as a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    Empty,
    TooLarge,
    /// Not one of the accepted formats.
    WrongFormat,
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

impl Format {
    /// The format that a setting names.
    pub(super) fn named(name: &str) -> Option<Format> {
        match name.to_ascii_lowercase().as_str() {
            "jpeg" | "jpg" => Some(Format::Jpeg),
            "png" => Some(Format::Png),
            "heic" => Some(Format::Heic),
            _ => None,
        }
    }

    /// Detects the format from the first bytes.
    pub(super) fn of(bytes: &[u8]) -> Option<Format> {
        if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
            Some(Format::Jpeg)
        } else if bytes.starts_with(PNG) {
            Some(Format::Png)
        } else if is_heic(bytes) {
            Some(Format::Heic)
        } else {
            None
        }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Format::Jpeg => "JPEG",
            Format::Png => "PNG",
            Format::Heic => "HEIC",
        }
    }

    pub(super) fn media_type(self) -> &'static str {
        match self {
            Format::Jpeg => "image/jpeg",
            Format::Png => "image/png",
            Format::Heic => "image/heic",
        }
    }

    pub(super) fn extension(self) -> &'static str {
        match self {
            Format::Jpeg => "jpg",
            Format::Png => "png",
            Format::Heic => "heic",
        }
    }
}

/// A HEIC file starts with a box that lists its brands. AVIF uses the same container.
fn is_heic(bytes: &[u8]) -> bool {
    let Some((size, rest)) = bytes.split_first_chunk::<4>() else {
        return false;
    };
    let size = u32::from_be_bytes(*size) as usize;
    let brands = rest
        .strip_prefix(b"ftyp")
        .and_then(|brands| brands.get(..size.checked_sub(8)?));
    let has = |wanted: &[&[u8]]| {
        brands.is_some_and(|brands| brands.chunks(4).any(|brand| wanted.contains(&brand)))
    };
    has(&[b"heic", b"heix", b"heim", b"heis", b"mif1"]) && !has(&[b"avif", b"avis"])
}

impl PhotoRules {
    /// Validates a file as a photo.
    pub(super) fn admit(&self, bytes: Bytes) -> Result<Photo, Unfit> {
        if bytes.is_empty() {
            return Err(Unfit::Empty);
        }
        if bytes.len() as u64 > self.max_bytes {
            return Err(Unfit::TooLarge);
        }
        let format = Format::of(&bytes)
            .filter(|format| self.formats.contains(format))
            .ok_or(Unfit::WrongFormat)?;
        Ok(Photo { format, bytes })
    }

    /// "JPEG, PNG or HEIC".
    pub(super) fn formats_in_words(&self) -> String {
        let names: Vec<&str> = self.formats.iter().map(|format| format.as_str()).collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }

    /// "5 MB" where it is round, else the bytes.
    pub(super) fn limit_in_words(&self) -> String {
        const MEGABYTE: u64 = 1024 * 1024;
        match self.max_bytes {
            bytes if bytes % MEGABYTE == 0 => format!("{} MB ({bytes} bytes)", bytes / MEGABYTE),
            bytes => format!("{bytes} bytes"),
        }
    }
}

#[cfg(test)]
#[path = "photo_tests.rs"]
mod photo_tests;
