//! Things that a text may name only if one of its sources does, such as the benefits of a job.

use super::normal::normalise;

/// One topic a line: its names in all languages.
#[derive(Debug)]
pub struct Topics(Vec<Vec<Name>>);

#[derive(Debug)]
struct Name {
    words: String,
    /// Whether the last word may have any ending.
    is_open: bool,
}

impl Topics {
    /// Reads lines of names that are separated by commas. A star at the end of a name stands for any
    /// ending; lines that start with `#` are comments.
    pub fn parse(lines: &str) -> Self {
        let lines = lines.lines().filter(|line| !line.starts_with('#'));
        let name = |name: &str| Name {
            is_open: name.ends_with('*'),
            words: normalise(name.trim_end_matches('*')),
        };
        Self(
            lines
                .map(|line| line.split(',').map(name).collect())
                .collect(),
        )
    }

    /// The places of the topics that none of these normalised texts names.
    pub(super) fn unnamed_in<'t>(
        &self,
        texts: impl Iterator<Item = &'t str> + Clone,
    ) -> Vec<usize> {
        let is_unnamed = |names: &Vec<Name>| {
            let is_named = |text| names.iter().any(|name| name.occurs_in(text));
            !texts.clone().any(is_named)
        };
        let topics = self.0.iter().enumerate();
        topics
            .filter(|(_, names)| is_unnamed(names))
            .map(|(place, _)| place)
            .collect()
    }

    /// The first name of one of these topics in a normalised text.
    pub(super) fn find(&self, places: &[usize], text: &str) -> Option<&str> {
        let topics = places.iter().filter_map(|place| self.0.get(*place));
        let mut names = topics.flatten();
        names
            .find(|name| name.occurs_in(text))
            .map(|name| name.words.as_str())
    }
}

impl Name {
    fn occurs_in(&self, text: &str) -> bool {
        let mut found = text.match_indices(self.words.as_str());
        found.any(|(at, words)| {
            let starts = !text[..at].ends_with(char::is_alphanumeric);
            let ends = !text[at + words.len()..].starts_with(char::is_alphanumeric);
            starts && (ends || self.is_open)
        })
    }
}
