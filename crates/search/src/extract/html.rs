//! Converts pages to Markdown: headings, paragraphs, lists, code and tables of the main
//! content. html5ever parses, htmd writes; navigation and other page furniture is removed
//! from the tree in between.

mod guard;
mod handlers;

use std::rc::Rc;

use htmd::HtmlToMarkdown;
use markup5ever_rcdom::{Node, NodeData};

use super::{Document, ExtractError};

/// Elements whose content is not page text.
const LEFT_OUT: &[&str] = &[
    "script", "style", "nav", "footer", "aside", "noscript", "template", "svg", "iframe", "form",
    "button", "select", "dialog", "img", "math",
];
const LEFT_OUT_ROLES: &[&str] = &["navigation", "search", "banner", "contentinfo", "menu"];
/// Classes of navigation, by their beginning: `navheader`, `breadcrumbs`, `toctree-wrapper`.
const LEFT_OUT_CLASSES: &[&str] = &[
    "nav",
    "breadcrumb",
    "sidebar",
    "sphinxsidebar",
    "footer",
    "cookie",
    "pagination",
    "toc",
];
/// The classes by which links are removed. The text of a heading may be a link to the table of
/// contents, of class `toc-backref`.
const LEFT_OUT_LINKS: &[&str] = &["headerlink", "skip-link"];
/// Elements that are never removed by their class: they are the page.
const FRAMES: &[&str] = &["html", "body", "main", "article", "section"];
/// In characters. A `main` element with less text is a frame, not the content.
const LEAST_MAIN: usize = 200;

/// A page's links and its robots directives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Link targets as written.
    pub to: Vec<String>,
    pub base: Option<String>,
    /// `noindex`: the page must not be indexed.
    pub no_index: bool,
    /// `nofollow`: the page's links must not be followed.
    pub no_follow: bool,
}

pub(in crate::extract) fn document(source: &str) -> Result<Document, ExtractError> {
    guard::check(source)?;
    let converter = handlers::converter();
    let tree = converter
        .html_to_tree(source)
        .map_err(|error| ExtractError::Damaged(error.to_string()))?;
    let mut page = Page::default();
    page.read(&tree);
    let text = page.markdown(&converter, &tree);
    Ok(Document {
        title: page.title.or(page.first_heading).unwrap_or_default(),
        text,
        links: page.links,
        ..Document::default()
    })
}

#[derive(Default)]
struct Page {
    title: Option<String>,
    first_heading: Option<String>,
    links: Links,
    body: Option<Rc<Node>>,
    /// Elements that claim to be the main content.
    mains: Vec<Rc<Node>>,
    articles: Vec<Rc<Node>>,
}

impl Page {
    /// Reads links and directives of the whole page and removes what is not content.
    fn read(&mut self, tree: &Rc<Node>) {
        let mut left = vec![(Rc::clone(tree), true)];
        while let Some((node, is_content)) = left.pop() {
            if let Some(name) = name(&node) {
                self.element(&node, name, is_content);
            }
            let mut children = node.children.borrow_mut();
            // In document order: the last pushed is read first.
            for child in children.iter().rev() {
                left.push((Rc::clone(child), is_content && !is_left_out(child)));
            }
            children.retain(|child| !is_left_out(child));
        }
    }

    fn element(&mut self, node: &Rc<Node>, name: &str, is_content: bool) {
        match name {
            "a" => self.links.to.extend(attribute(node, "href")),
            "base" => self.links.base = attribute(node, "href"),
            "meta" => self.meta(node),
            "title" if self.title.is_none() => {
                self.title = Some(one_line(&text(node))).filter(|title| !title.is_empty());
            }
            "h1" if self.first_heading.is_none() && is_content => {
                self.first_heading = Some(one_line(&text(node)));
            }
            "body" => self.body = Some(Rc::clone(node)),
            "main" => self.mains.push(Rc::clone(node)),
            "article" => self.articles.push(Rc::clone(node)),
            _ if attribute(node, "role").as_deref() == Some("main") => {
                self.mains.push(Rc::clone(node));
            }
            _ => {}
        }
    }

    fn meta(&mut self, node: &Node) {
        let is_robots =
            attribute(node, "name").is_some_and(|name| name.eq_ignore_ascii_case("robots"));
        if is_robots {
            let content = attribute(node, "content").unwrap_or_default();
            let content = content.to_ascii_lowercase();
            self.links.no_index |= content.contains("noindex") || content.contains("none");
            self.links.no_follow |= content.contains("nofollow") || content.contains("none");
        }
    }

    /// The main element, the only article, or the whole body.
    fn markdown(&self, converter: &HtmlToMarkdown, tree: &Rc<Node>) -> String {
        let article = self.articles.first().filter(|_| self.articles.len() == 1);
        let main = self.mains.first().or(article);
        let main = main.filter(|main| text(main).trim().chars().count() >= LEAST_MAIN);
        let root = main.or(self.body.as_ref()).unwrap_or(tree);
        handlers::without_escapes(&converter.tree_to_markdown(root))
    }
}

fn is_left_out(node: &Node) -> bool {
    let Some(name) = name(node) else {
        return false;
    };
    if LEFT_OUT.contains(&name) || attribute(node, "aria-hidden").as_deref() == Some("true") {
        return true;
    }
    let role = attribute(node, "role").unwrap_or_default();
    if LEFT_OUT_ROLES.contains(&role.as_str()) {
        return true;
    }
    let classes = attribute(node, "class").unwrap_or_default();
    let left_out = match name {
        "a" => LEFT_OUT_LINKS,
        _ => LEFT_OUT_CLASSES,
    };
    !FRAMES.contains(&name)
        && role != "main"
        && classes.split_whitespace().any(|class| {
            let class = class.to_ascii_lowercase();
            left_out.iter().any(|known| class.starts_with(known))
        })
}

fn name(node: &Node) -> Option<&str> {
    match &node.data {
        NodeData::Element { name, .. } => Some(&name.local),
        NodeData::Document
        | NodeData::Doctype { .. }
        | NodeData::Text { .. }
        | NodeData::Comment { .. }
        | NodeData::ProcessingInstruction { .. } => None,
    }
}

fn attribute(node: &Node, wanted: &str) -> Option<String> {
    match &node.data {
        NodeData::Element { attrs, .. } => attrs
            .borrow()
            .iter()
            .find(|attribute| &*attribute.name.local == wanted)
            .map(|attribute| attribute.value.to_string()),
        NodeData::Document
        | NodeData::Doctype { .. }
        | NodeData::Text { .. }
        | NodeData::Comment { .. }
        | NodeData::ProcessingInstruction { .. } => None,
    }
}

/// All text below a node, with its line breaks.
fn text(node: &Rc<Node>) -> String {
    let mut text = String::new();
    let mut left = vec![Rc::clone(node)];
    while let Some(node) = left.pop() {
        if let NodeData::Text { contents } = &node.data {
            text.push_str(&contents.borrow());
        } else if name(&node) == Some("br") {
            text.push('\n');
        }
        left.extend(node.children.borrow().iter().rev().map(Rc::clone));
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
