//! robots.txt by RFC 9309: the longest matching rule decides, and `Allow` wins a tie.

/// In bytes; the minimum that the RFC requires parsers to read.
const LONGEST: usize = 512 * 1024;
const NAME: &str = "frontdesk";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Robots {
    rules: Vec<Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    allow: bool,
    path: String,
}

impl Robots {
    /// Used when robots.txt cannot be fetched because the server fails.
    pub(super) fn nothing_allowed() -> Self {
        Self {
            rules: vec![Rule {
                allow: false,
                path: "/".to_owned(),
            }],
        }
    }

    pub(super) fn parse(text: &str) -> Self {
        let text = &text[..text.floor_char_boundary(LONGEST)];
        let mut ours: Option<Vec<Rule>> = None;
        let mut anyone = Vec::new();
        let mut for_us = false;
        let mut for_anyone = false;
        let mut in_agents = false;
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim();
            match key.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    if !in_agents {
                        (for_us, for_anyone) = (false, false);
                    }
                    in_agents = true;
                    let agent = value.to_ascii_lowercase();
                    for_anyone |= agent == "*";
                    for_us |= !agent.is_empty() && agent != "*" && NAME.starts_with(agent.as_str());
                    if for_us {
                        ours.get_or_insert_default();
                    }
                }
                key @ ("allow" | "disallow") => {
                    in_agents = false;
                    // An empty rule forbids nothing.
                    if value.is_empty() {
                        continue;
                    }
                    let rule = Rule {
                        allow: key == "allow",
                        path: value.to_owned(),
                    };
                    if for_us {
                        ours.get_or_insert_default().push(rule.clone());
                    }
                    if for_anyone {
                        anyone.push(rule);
                    }
                }
                _ => {}
            }
        }
        Self {
            rules: ours.unwrap_or(anyone),
        }
    }

    /// `path` includes the query.
    pub(super) fn allows(&self, path: &str) -> bool {
        self.rules
            .iter()
            .filter(|rule| matches(&rule.path, path))
            .max_by_key(|rule| (rule.path.len(), rule.allow))
            .is_none_or(|rule| rule.allow)
    }
}

/// `*` matches anything; `$` at the end matches the end.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, anchored) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    for (index, part) in parts.iter().enumerate() {
        let last = index + 1 == parts.len();
        if last && anchored {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    !anchored || rest.is_empty()
}

#[cfg(test)]
#[path = "robots_tests.rs"]
mod robots_tests;
