//! Sanitises HEIC without decoding it. Reads the container box by box, and overwrites
//! everything except the picture (Exif, XMP, other boxes, unreferenced bytes) with zeros in
//! place.

use std::ops::Range;

use super::boxes::{BoxAt, Cursor, Malformed, boxes};
use super::check_size;
use crate::UploadError;

/// Far above the output of cameras (a 48-megapixel grid has about 50), far below a
/// noticeable cost.
const MAX_ITEMS: usize = 4_096;

/// Parts of `meta` that describe the picture.
const DESCRIBES_PICTURE: [&[u8; 4]; 9] = [
    b"hdlr", b"dinf", b"pitm", b"iinf", b"iref", b"iprp", b"idat", b"iloc", b"grpl",
];

/// Allowed item types. `iovl` (overlays) has broken decoders, and no camera writes it.
const PICTURE_ITEMS: [&[u8; 4]; 4] = [b"hvc1", b"grid", b"iden", b"tmap"];

struct Item {
    id: u64,
    kind: [u8; 4],
}

struct Extent {
    item: u64,
    range: Range<usize>,
}

impl From<Malformed> for UploadError {
    fn from(Malformed: Malformed) -> Self {
        UploadError::Damaged("its HEIC boxes are malformed")
    }
}

/// True if the file declares HEIC. AVIF shares the container and is refused.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    let Some((size, rest)) = bytes.split_first_chunk::<4>() else {
        return false;
    };
    let size = u32::from_be_bytes(*size) as usize;
    let Some(brands) = rest
        .strip_prefix(b"ftyp")
        .and_then(|brands| brands.get(..size.checked_sub(8)?))
    else {
        return false;
    };
    let has = |wanted: &[&[u8]]| brands.chunks(4).any(|brand| wanted.contains(&brand));
    has(&[b"heic", b"heix", b"heim", b"heis", b"mif1"]) && !has(&[b"avif", b"avis"])
}

/// Zeroes everything in the file except the picture.
pub(super) fn strip(mut file: Vec<u8>) -> Result<Vec<u8>, UploadError> {
    let top = boxes(&file, 0..file.len())?;
    if has(&top, b"moov") {
        return Err(UploadError::Damaged(
            "it is a HEIC sequence, not a still picture",
        ));
    }
    let meta = only(&top, b"meta")?;
    let mut header = Cursor::new(&file, meta.body.clone());
    header.version()?;
    let parts = boxes(&file, header.at..meta.body.end)?;

    let items = read_items(&file, only(&parts, b"iinf")?)?;
    let primary = read_primary(&file, only(&parts, b"pitm")?)?;
    check_pictures(&items, primary)?;
    check_dimensions(&file, only(&parts, b"iprp")?)?;

    let idat = parts.iter().find(|part| &part.kind == b"idat");
    let data: Vec<Range<usize>> = top
        .iter()
        .filter(|part| &part.kind == b"mdat")
        .chain(idat)
        .map(|part| part.body.clone())
        .collect();
    let extents = read_extents(&file, only(&parts, b"iloc")?, idat, &data)?;
    let is_picture = |id: u64| {
        items
            .iter()
            .any(|item| item.id == id && PICTURE_ITEMS.contains(&&item.kind))
    };
    if !extents.iter().any(|extent| extent.item == primary) {
        return Err(UploadError::Damaged("its main picture is not in the file"));
    }

    let foreign = top
        .iter()
        .filter(|part| ![b"ftyp", b"meta", b"mdat"].contains(&&part.kind))
        .chain(
            parts
                .iter()
                .filter(|part| !DESCRIBES_PICTURE.contains(&&part.kind)),
        );
    let mut erase: Vec<Range<usize>> = foreign.map(|part| part.body.clone()).collect();
    let mut pictures: Vec<Range<usize>> = Vec::new();
    for extent in extents {
        match is_picture(extent.item) {
            true => pictures.push(extent.range),
            false => erase.push(extent.range),
        }
    }
    erase.extend(gaps(&data, pictures));
    for range in erase {
        if let Some(bytes) = file.get_mut(range) {
            bytes.fill(0);
        }
    }
    Ok(file)
}

fn has(parts: &[BoxAt], kind: &[u8; 4]) -> bool {
    parts.iter().any(|part| &part.kind == kind)
}

fn only<'a>(parts: &'a [BoxAt], kind: &[u8; 4]) -> Result<&'a BoxAt, Malformed> {
    let mut found = parts.iter().filter(|part| &part.kind == kind);
    match (found.next(), found.next()) {
        (Some(part), None) => Ok(part),
        (Some(_), Some(_)) | (None, _) => Err(Malformed),
    }
}

fn read_items(file: &[u8], iinf: &BoxAt) -> Result<Vec<Item>, Malformed> {
    let mut header = Cursor::new(file, iinf.body.clone());
    let width = if header.version()? == 0 { 2 } else { 4 };
    let count = header.size(width)?;
    let entries = boxes(file, header.at..iinf.body.end)?;
    if entries.len() != count || count > MAX_ITEMS {
        return Err(Malformed);
    }
    entries
        .iter()
        .map(|entry| {
            let mut fields = Cursor::new(file, entry.body.clone());
            let width = match (&entry.kind, fields.version()?) {
                (b"infe", 2) => 2,
                (b"infe", 3) => 4,
                _ => return Err(Malformed),
            };
            let id = fields.number(width)?;
            fields.number(2)?;
            Ok(Item {
                id,
                kind: fields.kind()?,
            })
        })
        .collect()
}

fn read_primary(file: &[u8], pitm: &BoxAt) -> Result<u64, Malformed> {
    let mut fields = Cursor::new(file, pitm.body.clone());
    let width = if fields.version()? == 0 { 2 } else { 4 };
    fields.number(width)
}

fn check_pictures(items: &[Item], primary: u64) -> Result<(), UploadError> {
    let main = items
        .iter()
        .find(|item| item.id == primary)
        .ok_or(Malformed)?;
    if items.iter().any(|item| &item.kind == b"iovl") {
        return Err(UploadError::Damaged(
            "it is a HEIC overlay, not a camera picture",
        ));
    }
    let hevc = items.iter().any(|item| &item.kind == b"hvc1");
    match hevc && PICTURE_ITEMS.contains(&&main.kind) {
        true => Ok(()),
        // The container may hold AV1, JPEG 2000 and others; only HEVC pictures are HEIC.
        false => Err(UploadError::Unsupported),
    }
}

/// Checks every stated dimension (`ispe` in `ipco`), although nothing is decoded here.
fn check_dimensions(file: &[u8], iprp: &BoxAt) -> Result<(), UploadError> {
    let properties = boxes(file, iprp.body.clone())?;
    let mut sized = false;
    for property in boxes(file, only(&properties, b"ipco")?.body.clone())? {
        if &property.kind != b"ispe" {
            continue;
        }
        let mut fields = Cursor::new(file, property.body.clone());
        fields.version()?;
        let (width, height) = (fields.number(4)?, fields.number(4)?);
        check_size(width as u32, height as u32)?;
        sized = true;
    }
    if sized { Ok(()) } else { Err(Malformed.into()) }
}

/// The byte ranges of each item; all must lie inside `data`.
fn read_extents(
    file: &[u8],
    iloc: &BoxAt,
    idat: Option<&BoxAt>,
    data: &[Range<usize>],
) -> Result<Vec<Extent>, Malformed> {
    let mut fields = Cursor::new(file, iloc.body.clone());
    let version = fields.version()?;
    let (sizes, more_sizes) = (fields.size(1)?, fields.size(1)?);
    let (offset_size, length_size) = (sizes >> 4, sizes & 15);
    let base_size = more_sizes >> 4;
    let index_size = if version == 0 { 0 } else { more_sizes & 15 };
    let id_size = if version < 2 { 2 } else { 4 };
    if version > 2
        || [offset_size, length_size, base_size, index_size]
            .iter()
            .any(|size| ![0, 4, 8].contains(size))
    {
        return Err(Malformed);
    }
    let count = fields.size(id_size)?;
    let mut extents = Vec::new();
    for _ in 0..count {
        let item = fields.number(id_size)?;
        let construction = if version == 0 {
            0
        } else {
            fields.number(2)? & 15
        };
        let elsewhere = fields.number(2)? != 0;
        let origin = match (construction, idat) {
            (0, _) => 0,
            (1, Some(idat)) => idat.body.start,
            _ => return Err(Malformed),
        };
        let base = fields.size(base_size)?;
        for _ in 0..fields.size(2)? {
            fields.number(index_size)?;
            let start = fields
                .size(offset_size)?
                .checked_add(base)
                .and_then(|at| at.checked_add(origin))
                .ok_or(Malformed)?;
            let end = start
                .checked_add(fields.size(length_size)?)
                .ok_or(Malformed)?;
            let inside = data
                .iter()
                .any(|part| part.start <= start && end <= part.end);
            if elsewhere || start == end || !inside || extents.len() == MAX_ITEMS {
                return Err(Malformed);
            }
            extents.push(Extent {
                item,
                range: start..end,
            });
        }
    }
    Ok(extents)
}

/// The parts of `data` that no kept range covers.
fn gaps(data: &[Range<usize>], mut kept: Vec<Range<usize>>) -> Vec<Range<usize>> {
    kept.sort_by_key(|range| range.start);
    let mut gaps = Vec::new();
    for part in data {
        let mut at = part.start;
        for range in kept
            .iter()
            .filter(|range| range.start >= part.start && range.end <= part.end)
        {
            if range.start > at {
                gaps.push(at..range.start);
            }
            at = at.max(range.end);
        }
        gaps.push(at..part.end);
    }
    gaps
}
