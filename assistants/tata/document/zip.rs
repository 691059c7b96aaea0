//! A zip archive of stored files: all that a Word file needs, and small enough to read in one sitting.

/// Files in the order given. Names are ASCII and short, contents well under 4 GB.
pub(super) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in files {
        let offset = size(out.len());
        let head = entry(name, content);
        out.extend(0x0403_4b50_u32.to_le_bytes());
        out.extend(&head);
        out.extend(name.as_bytes());
        out.extend(*content);

        directory.extend(0x0201_4b50_u32.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&head);
        // Comment length, disk, internal and external attributes: none.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let directory_offset = size(out.len());
    let directory_size = size(directory.len());
    out.extend(directory);
    out.extend(0x0605_4b50_u32.to_le_bytes());
    out.extend([0; 4]);
    let count = u16::try_from(files.len()).unwrap_or(u16::MAX);
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(directory_size.to_le_bytes());
    out.extend(directory_offset.to_le_bytes());
    out.extend([0; 2]);
    out
}

const VERSION: u16 = 20;
/// 1 January 1980, the earliest date a zip knows: the same document gives the same bytes.
const DATE: u16 = (1 << 5) | 1;

/// The fields that a file's header and the directory have in common.
fn entry(name: &str, content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(26);
    out.extend(VERSION.to_le_bytes());
    // Flags, method "stored", time: all zero.
    out.extend([0; 6]);
    out.extend(DATE.to_le_bytes());
    out.extend(crc32fast::hash(content).to_le_bytes());
    out.extend(size(content.len()).to_le_bytes());
    out.extend(size(content.len()).to_le_bytes());
    out.extend(u16::try_from(name.len()).unwrap_or(u16::MAX).to_le_bytes());
    // No extra field.
    out.extend([0; 2]);
    out
}

fn size(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
