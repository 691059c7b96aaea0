//! robots.txt, rule by rule as in the RFC.

use proptest::prelude::*;

use super::Robots;

#[test]
fn the_longest_rule_decides() {
    let robots = Robots::parse(
        "User-agent: *\nDisallow: /private\nAllow: /private/open\nDisallow: /*.pdf$\nDisallow:\n\nSitemap: https://example.com/sitemap.xml\n",
    );
    for (path, allowed) in [
        ("/", true),
        ("/private", false),
        ("/private/x", false),
        ("/private/open/x", true),
        ("/a/b.pdf", false),
        ("/a/b.pdf?x", true),
        ("/a.pdfx", true),
    ] {
        assert_eq!(robots.allows(path), allowed, "{path}");
    }
}

#[test]
fn rules_for_our_agent_replace_the_general_ones() {
    let robots = Robots::parse(
        "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: Frontdesk\nDisallow: /only\n",
    );
    assert!(robots.allows("/anything"));
    assert!(!robots.allows("/only/this"));
}

#[test]
fn a_site_without_rules_allows_everything() {
    assert!(Robots::parse("").allows("/x"));
    assert!(Robots::parse("<html>not found</html>").allows("/x"));
    assert!(!Robots::nothing_allowed().allows("/x"));
}

proptest! {
    #[test]
    fn no_file_causes_an_error(text in "(User-agent: ?[*a-z]{0,9}\n|(Dis)?[Aa]llow: ?[/a-z*$]{0,12}\n|.{0,20}\n){0,20}", path in "/[a-z/.]{0,20}") {
        Robots::parse(&text).allows(&path);
    }
}
