//! Decides whether a quote ends a text or belongs to it without an escape. In valid JSON it always
//! ends the text, and the next characters confirm that.

/// The kind of a text, which determines the token after it.
#[derive(Clone, Copy)]
pub(super) enum Ending {
    /// A colon.
    Key,
    /// The end of the object, or a comma and another key.
    Member(Keys),
    MemberComma(Keys),
    NextKey {
        quote: char,
        escaped: bool,
    },
    AfterNextKey,
    BareKey,
    /// The end of the list, or a comma and another item.
    Item,
    ItemComma,
}

/// The notation of an object's keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    Quoted,
    Bare,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Undecided.
    Open,
    Ends,
    GoesOn,
}

impl Ending {
    /// Examines one more character after the quote.
    pub(super) fn take(&mut self, c: char) -> Next {
        if let Ending::NextKey { quote, escaped } = self {
            match c {
                _ if *escaped => *escaped = false,
                '\\' => *escaped = true,
                c if c == *quote => *self = Ending::AfterNextKey,
                _ => {}
            }
            return Next::Open;
        }
        if c.is_whitespace() {
            return Next::Open;
        }
        match (*self, c) {
            (Ending::Key | Ending::AfterNextKey | Ending::BareKey, ':')
            | (Ending::Member(_) | Ending::MemberComma(_), '}')
            | (Ending::Item | Ending::ItemComma, ']')
            | (Ending::ItemComma, '"' | '\'' | '{' | '[' | '-' | 't' | 'f' | 'n' | '0'..='9') => {
                return Next::Ends;
            }
            (Ending::Member(keys), ',') => *self = Ending::MemberComma(keys),
            (Ending::MemberComma(Keys::Bare), c) if c.is_ascii_alphabetic() => {
                *self = Ending::BareKey;
            }
            (Ending::BareKey, c) if c.is_ascii_alphanumeric() || c == '_' => {}
            (Ending::Item, ',') => *self = Ending::ItemComma,
            // A missing comma must not expose the rest of the object.
            (Ending::Member(_) | Ending::MemberComma(_), quote @ ('"' | '\'')) => {
                *self = Ending::NextKey {
                    quote,
                    escaped: false,
                };
            }
            (
                Ending::Key
                | Ending::Member(_)
                | Ending::MemberComma(_)
                | Ending::BareKey
                | Ending::NextKey { .. }
                | Ending::AfterNextKey
                | Ending::Item
                | Ending::ItemComma,
                _,
            ) => return Next::GoesOn,
        }
        Next::Open
    }
}
