//! Matches names in other grammatical cases, in Latin letters, by one of several names, or with a typo.

/// Similarity of a name to the words of a question, 0–1: of the worst word, and the mean of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    pub worst: f64,
    pub mean: f64,
}

impl Likeness {
    pub fn of(asked: &str, name: &str) -> Self {
        let asked = words(asked);
        let name = words(name);
        let best = |word: &String| {
            let each = name.iter().map(|other| word_likeness(word, other));
            each.fold(0.0, f64::max)
        };
        let each: Vec<f64> = asked.iter().map(best).collect();
        if each.is_empty() {
            return Self {
                worst: 0.0,
                mean: 0.0,
            };
        }
        Self {
            worst: each.iter().copied().fold(1.0, f64::min),
            mean: each.iter().sum::<f64>() / count(each.len()),
        }
    }

    /// Whether this very name is meant. Анна is not Инна, however alike they look.
    pub fn is_meant(self) -> bool {
        self.worst >= 0.85
    }

    /// Whether it may have been meant.
    pub fn is_near(self) -> bool {
        self.mean >= 0.45
    }
}

/// The number of words in a name.
pub fn name_words(name: &str) -> usize {
    words(name).len()
}

fn word_likeness(asked: &str, name: &str) -> f64 {
    if asked == name {
        return 1.0;
    }
    let (asked_stems, name_stems) = (stems(asked), stems(name));
    // "Анну", "Анной" and "Анне" are Анна; "Волкова" may be Волков. Марина is not Мария.
    if asked_stems.iter().any(|stem| name_stems.contains(stem)) {
        return 0.95;
    }
    let pairs = asked_stems
        .iter()
        .flat_map(|asked| name_stems.iter().map(move |name| (asked, name)));
    pairs
        .map(|(asked, name)| {
            let longest = asked.len().max(name.len());
            let apart = strsim::levenshtein(asked, name);
            // A slip in a long word is a slip; in a short one it is another name.
            if longest >= 6 && apart <= 1 {
                return 0.85;
            }
            (1.0 - count(apart) / count(longest)).min(0.75)
        })
        .fold(0.0, f64::max)
}

/// Possible stems of a name without its case ending.
fn stems(word: &str) -> Vec<&str> {
    const SHORTEST: usize = 3;
    let bare =
        |word: &'_ str| -> usize { word.trim_end_matches(['a', 'e', 'i', 'o', 'u', 'y']).len() };
    let mut ends = vec![bare(word)];
    for ending in ["om", "em", "ym"] {
        if let Some(rest) = word.strip_suffix(ending) {
            ends.push(bare(rest));
        }
    }
    ends.retain(|end| *end >= SHORTEST);
    if ends.is_empty() {
        return vec![word];
    }
    ends.into_iter().map(|end| &word[..end]).collect()
}

/// Lower-case Latin words: "Пётр Кузнецов" and "Petr Kuznetsov" are the same.
fn words(text: &str) -> Vec<String> {
    let mut latin = String::with_capacity(text.len());
    for letter in text.to_lowercase().chars() {
        match transliterated(letter) {
            Some(letters) => latin.push_str(letters),
            None if letter.is_alphanumeric() => latin.push(letter),
            None => latin.push(' '),
        }
    }
    latin
        .split_whitespace()
        .map(|word| {
            word.replace("iy", "y")
                .replace("ei", "ey")
                .replace("ks", "x")
        })
        .collect()
}

fn transliterated(letter: char) -> Option<&'static str> {
    Some(match letter {
        'а' => "a",
        'б' => "b",
        'в' => "v",
        'г' => "g",
        'д' => "d",
        'е' | 'ё' | 'э' => "e",
        'ж' => "zh",
        'з' => "z",
        'и' => "i",
        'й' | 'ы' => "y",
        'к' => "k",
        'л' => "l",
        'м' => "m",
        'н' => "n",
        'о' => "o",
        'п' => "p",
        'р' => "r",
        'с' => "s",
        'т' => "t",
        'у' => "u",
        'ф' => "f",
        'х' => "kh",
        'ц' => "ts",
        'ч' => "ch",
        'ш' => "sh",
        'щ' => "shch",
        'ъ' | 'ь' => "",
        'ю' => "yu",
        'я' => "ya",
        _ => return None,
    })
}

/// Letters and words are far below what a float holds exactly.
fn count(value: usize) -> f64 {
    value as f64
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod names_tests;
