//! Colours for terminals that support them.

use std::io::IsTerminal;

#[derive(Clone, Copy)]
pub(super) struct Paint {
    colours: bool,
}

impl Paint {
    /// Styles for standard output. Respects `NO_COLOR` and `TERM=dumb`.
    pub(super) fn for_stdout() -> Self {
        let plain = std::env::vars().any(|(name, value)| match name.as_str() {
            "NO_COLOR" => !value.is_empty(),
            "TERM" => value == "dumb",
            _ => false,
        });
        Self {
            colours: std::io::stdout().is_terminal() && !plain,
        }
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.colours {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    pub(super) fn good(self, text: &str) -> String {
        self.with("32", text)
    }

    pub(super) fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    pub(super) fn accent(self, text: &str) -> String {
        self.with("36", text)
    }
}

/// Terminal capabilities: colours and width.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) colours: bool,
    pub(super) width: usize,
}

impl Look {
    /// `None` if standard output is not a terminal; text is then printed unchanged.
    pub(super) fn for_stdout() -> Option<Self> {
        let (terminal_size::Width(width), _) = terminal_size::terminal_size_of(std::io::stdout())?;
        Some(Self {
            colours: Paint::for_stdout().colours,
            width: usize::from(width).clamp(20, 120),
        })
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.paint().bold(text)
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.paint().dim(text)
    }

    fn paint(self) -> Paint {
        Paint {
            colours: self.colours,
        }
    }
}

/// Removes escape sequences from untrusted text before it is printed.
pub(super) fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            c if c.is_control() => '\u{FFFD}',
            c => c,
        })
        .collect()
}
