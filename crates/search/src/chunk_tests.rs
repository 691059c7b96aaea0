//! Documents are cut at headings, never inside code or tables, and never above the
//! requested size.

use frontdesk_core::search::ChunkConfig;
use proptest::prelude::*;

use super::{DEFAULT, SIZES, check, passages};
use crate::tokens;

const SMALL: ChunkConfig = ChunkConfig {
    chunk_size: 128,
    chunk_overlap: 20,
};

fn prose(sentences: usize) -> String {
    (0..sentences)
        .map(|n| format!("Sentence number {n} tells how approvals are decided. "))
        .collect()
}

#[test]
fn a_short_text_is_one_passage() {
    let found = passages("# Approvals\n\nA person decides.\n", DEFAULT);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].headings, ["Approvals"]);
    assert_eq!(found[0].text, "# Approvals\n\nA person decides.");
}

#[test]
fn passages_know_the_headings_above_them() {
    let text = format!(
        "# Guide\n\n{}\n\n## Approvals\n\n{}\n\n### Expiry\n\n{}\n\n## Roles\n\n{}",
        prose(12),
        prose(12),
        prose(12),
        prose(12)
    );
    let paths: Vec<String> = passages(&text, SMALL)
        .iter()
        .map(|passage| passage.headings.join("/"))
        .collect();
    for path in [
        "Guide",
        "Guide/Approvals",
        "Guide/Approvals/Expiry",
        "Guide/Roles",
    ] {
        assert!(paths.iter().any(|found| found == path), "{path}: {paths:?}");
    }
    assert_eq!(paths.last().map(String::as_str), Some("Guide/Roles"));
}

#[test]
fn neighbours_overlap_in_prose() {
    let found = passages(&prose(60), SMALL);
    assert!(found.len() > 3);
    for pair in found.windows(2) {
        assert!(pair[1].range.start < pair[0].range.end, "no overlap");
        let shared = pair[0].range.end - pair[1].range.start;
        assert!(shared < 200, "{shared} bytes repeated");
    }
}

#[test]
fn code_and_tables_stay_whole() {
    let code = "```sh\nfrontdesk serve --bind 127.0.0.1:8080\n\nfrontdesk chat docs\n```\n";
    let table = "| role | may |\n|---|---|\n| HR_User | ask |\n| Admin_User | decide |\n";
    let text = format!(
        "{}\n\n{code}\n{}\n\n{table}\n{}",
        prose(9),
        prose(9),
        prose(9)
    );
    let found = passages(&text, SMALL);
    for whole in [code.trim(), table.trim()] {
        assert!(
            found.iter().any(|passage| passage.text.contains(whole)),
            "{whole} was cut"
        );
    }
}

#[test]
fn a_text_without_blanks_is_cut_all_the_same() {
    for text in ["x".repeat(50_000), "字".repeat(20_000), "🚀".repeat(9_000)] {
        let found = passages(&text, SMALL);
        assert!(found.len() > 10);
        assert!(found.iter().all(|one| one.tokens <= SMALL.chunk_size + 2));
    }
}

#[test]
fn sizes_are_bounded() {
    for (size, overlap, fits) in [
        (128, 0, true),
        (2_048, 50, true),
        (512, 256, true),
        (127, 0, false),
        (2_049, 0, false),
        (512, 257, false),
    ] {
        let config = ChunkConfig {
            chunk_size: size,
            chunk_overlap: overlap,
        };
        assert_eq!(check(config).is_ok(), fits, "{size}/{overlap}");
    }
}

proptest! {
    #[test]
    fn nothing_is_lost_and_nothing_is_too_large(
        text in "([#|`a-zäж .\\n]|\\n\\n|# |```\\n|[^\\x00]){0,600}",
        size in SIZES,
        overlap in 0_u32..64,
    ) {
        let config = ChunkConfig { chunk_size: size, chunk_overlap: overlap };
        let found = passages(&text, config);
        for passage in &found {
            prop_assert!(tokens::count(&passage.text) <= size + size / 8 + 4);
            prop_assert_eq!(text[passage.range.clone()].trim(), passage.text.as_str());
        }
        // Every word appears in a passage; headings appear as text or as context.
        let all: String = found
            .iter()
            .flat_map(|one| one.headings.iter().map(String::as_str).chain([one.text.as_str()]))
            .collect();
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3) {
            if !found.is_empty() {
                prop_assert!(all.contains(word) || text.lines().any(|line| line.starts_with('#') && line.contains(word)), "{} is lost", word);
            }
        }
    }
}

#[test]
fn code_stays_with_the_sentence_that_announces_it() {
    let text = format!(
        "# Guide\n\n{}\n\nTo add a column of type varchar:\n\n```\nALTER TABLE a ADD COLUMN b varchar;\n```\n\n{}",
        prose(12),
        prose(12)
    );
    let found = passages(&text, SMALL);
    let with_code = found.iter().find(|one| one.text.contains("ALTER TABLE"));
    assert!(
        with_code.is_some_and(|one| one.text.contains("To add a column")),
        "{found:#?}"
    );
}

#[test]
fn a_passage_knows_its_neighbours_of_the_same_section() {
    let text = format!("# A\n\n{}\n\n# B\n\n{}", prose(40), prose(40));
    let found = passages(&text, SMALL);
    let second = text.find("# B").unwrap();
    for passage in &found {
        assert!(passage.context.start <= passage.range.start);
        assert!(passage.context.end >= passage.range.end);
        assert!(passage.context.len() <= 1_800);
        assert_eq!(
            passage.context.start < second,
            passage.context.end <= second,
            "{passage:?}"
        );
    }
    assert!(found.iter().all(|one| one.context.len() > one.text.len()));
}

#[test]
fn the_text_around_a_part_of_a_table_holds_the_table() {
    let rows: String = (0..30)
        .map(|n| format!("| limit {n} of a table | {n} terabytes |\n"))
        .collect();
    let table = format!("| limit | value |\n|---|---|\n{rows}");
    let text = format!("# Limits\n\n{}\n\n{table}\n{}", prose(20), prose(60));
    let parts = passages(&text, SMALL).into_iter();
    let parts: Vec<_> = parts
        .filter(|part| part.text.contains("| limit "))
        .collect();
    assert!(parts.len() > 2, "{}", parts.len());
    for part in parts {
        assert!(text[part.context].contains(&table), "{}", part.text);
    }
}
