//! The fonts of printed pages: Latin, Greek, Cyrillic and Arabic built in, others from a
//! folder.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use krilla::Data;
use krilla::text::Font;

/// Maximum number of files read from the fonts folder.
const MAX_FILES: usize = 32;
/// Maximum size of a font file; Chinese, Japanese and Korean together need about 20 MB.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

static SANS_REGULAR: &[u8] = include_bytes!("../fonts/NotoSans-Regular.ttf");
static SANS_BOLD: &[u8] = include_bytes!("../fonts/NotoSans-Bold.ttf");
static ARABIC_REGULAR: &[u8] = include_bytes!("../fonts/NotoNaskhArabic-Regular.ttf");
static ARABIC_BOLD: &[u8] = include_bytes!("../fonts/NotoNaskhArabic-Bold.ttf");

/// Font weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

/// One font file, for shaping and for embedding.
#[derive(Clone)]
pub struct Face {
    data: Data,
    pub font: Font,
}

/// All fonts for printing. The folder is read on first use.
pub struct Fonts {
    regular: Vec<Face>,
    bold: Vec<Face>,
    folder: Option<PathBuf>,
    in_folder: OnceLock<Vec<Face>>,
}

/// The scripts that can be printed, for `doctor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptCoverage {
    pub script: &'static str,
    pub covered: bool,
}

/// A script and a letter that every font for it has.
const PROBES: [(&str, char); 12] = [
    ("Latin", 'a'),
    ("Greek", 'α'),
    ("Cyrillic", 'ж'),
    ("Arabic and Urdu", 'ے'),
    ("Hebrew", 'א'),
    ("Devanagari", 'अ'),
    ("Bengali", 'অ'),
    ("Tamil", 'அ'),
    ("Thai", 'ก'),
    ("Chinese", '请'),
    ("Japanese", 'あ'),
    ("Korean", '한'),
];

impl Face {
    fn built_in(bytes: &'static [u8]) -> Option<Face> {
        Face::new(bytes.into())
    }

    fn new(data: Data) -> Option<Face> {
        // Both libraries must accept the file: one shapes with it, the other embeds it.
        rustybuzz::Face::from_slice(data.as_ref(), 0)?;
        let font = Font::new(data.clone(), 0)?;
        Some(Face { data, font })
    }

    pub fn shaper(&self) -> Option<rustybuzz::Face<'_>> {
        rustybuzz::Face::from_slice(self.data.as_ref(), 0)
    }

    fn has(&self, letter: char) -> bool {
        self.shaper()
            .is_some_and(|face| face.glyph_index(letter).is_some())
    }
}

impl Fonts {
    /// The built-in fonts and those of `folder`; `None` only if this build is damaged.
    pub fn new(folder: Option<PathBuf>) -> Option<Fonts> {
        let faces = |files: [&'static [u8]; 2]| files.into_iter().map(Face::built_in).collect();
        let regular: Option<Vec<Face>> = faces([SANS_REGULAR, ARABIC_REGULAR]);
        let bold: Option<Vec<Face>> = faces([SANS_BOLD, ARABIC_BOLD]);
        Some(Fonts {
            regular: regular?,
            bold: bold?,
            folder,
            in_folder: OnceLock::new(),
        })
    }

    /// The scripts that can be printed. Letters of other scripts appear as boxes.
    pub fn coverage(&self) -> Vec<ScriptCoverage> {
        PROBES
            .iter()
            .map(|(script, letter)| ScriptCoverage {
                script,
                covered: self
                    .regular
                    .iter()
                    .chain(self.in_folder())
                    .any(|face| face.has(*letter)),
            })
            .collect()
    }

    pub fn built_in(&self, weight: Weight) -> &[Face] {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// The fonts of the folder, read once.
    pub fn in_folder(&self) -> &[Face] {
        self.in_folder.get_or_init(|| match &self.folder {
            Some(folder) => read_folder(folder),
            None => Vec::new(),
        })
    }
}

/// Every readable font of a folder, upright ones first. Logs and skips unreadable files.
fn read_folder(folder: &Path) -> Vec<Face> {
    let mut files: Vec<PathBuf> = match std::fs::read_dir(folder) {
        Ok(entries) => entries
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .filter(|path| is_font(path))
            .collect(),
        Err(error) => {
            tracing::warn!(fonts.dir = %folder.display(), %error, "the fonts folder cannot be read");
            return Vec::new();
        }
    };
    let regular = |path: &PathBuf| path.to_string_lossy().contains("Regular");
    files.sort_by_key(|path| (!regular(path), path.clone()));
    files
        .iter()
        .take(MAX_FILES)
        .filter_map(|path| read_file(path))
        .collect()
}

fn is_font(path: &Path) -> bool {
    let extension = path
        .extension()
        .map(|extension| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| {
        ["ttf", "otf", "ttc", "otc"]
            .iter()
            .any(|known| extension == *known)
    })
}

fn read_file(path: &Path) -> Option<Face> {
    let small_enough = std::fs::metadata(path).is_ok_and(|file| file.len() <= MAX_FILE_BYTES);
    let face = small_enough
        .then(|| std::fs::read(path).ok())
        .flatten()
        .and_then(|bytes| Face::new(Arc::new(bytes).into()));
    if face.is_none() {
        tracing::warn!(font.file = %path.display(), "this font cannot be used for printing");
    }
    face
}
