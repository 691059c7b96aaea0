//! Retrieval metrics against textbook values.

use std::collections::BTreeMap;

use super::{Separation, halves, judgements, queries, retrieval_metrics};

#[test]
fn trec_files_are_read() {
    let found = queries("# questions\n1\tHow do approvals work?\n\n2\tWho decides?\n").unwrap();
    assert_eq!(found[1], ("2".to_owned(), "Who decides?".to_owned()));
    let judged = judgements("1 0 a.md 2\n1 0 b.md 0\n2 0 c.md -1\n").unwrap();
    assert_eq!(judged["1"]["a.md"], 2);
    assert_eq!(judged["2"]["c.md"], 0);
}

#[test]
fn a_wrong_line_is_named() {
    assert_eq!(queries("1 no tab").unwrap_err().line, 1);
    assert!(queries("1\ta\n1\tb").unwrap_err().problem.contains("twice"));
    assert_eq!(judgements("1 0 a 1\n1 0 a").unwrap_err().line, 2);
    assert_eq!(judgements("1 0 a x").unwrap_err().line, 1);
}

#[test]
fn metrics_match_the_textbook() {
    let judged = judgements("q 0 a 1\nq 0 b 1\n").unwrap();
    let run = |documents: &[&str]| {
        let documents = documents.iter().map(|one| (*one).to_owned()).collect();
        BTreeMap::from([("q".to_owned(), documents)])
    };
    let perfect = retrieval_metrics(&run(&["a", "b", "c"]), &judged);
    assert_eq!(
        (perfect.ndcg_at_10, perfect.recall_at_10, perfect.mrr_at_10),
        (1.0, 1.0, 1.0)
    );
    let second = retrieval_metrics(&run(&["c", "a", "a"]), &judged);
    let expected = (1.0 / 3_f64.log2()) / (1.0 + 1.0 / 3_f64.log2());
    assert!((second.ndcg_at_10 - expected).abs() < 1e-9);
    assert_eq!((second.recall_at_10, second.mrr_at_10), (0.5, 0.5));
    let nothing = retrieval_metrics(&BTreeMap::new(), &judged);
    assert_eq!((nothing.questions, nothing.ndcg_at_10), (1, 0.0));
}

#[test]
fn the_best_threshold_lies_in_the_middle_of_the_gap() {
    let (answerable, unanswerable) = ([0.4, 0.9, 0.8, 0.1], [0.2, 0.05, 0.0]);
    let best = Separation::best(&answerable, &unanswerable);
    assert_eq!(
        best,
        Separation {
            threshold: 0.31,
            answered: 3,
            answerable: 4,
            refused: 3,
            unanswerable: 3
        }
    );
    assert_eq!(best.mean(), 0.875);
    assert_eq!(Separation::at(0.9, &answerable, &unanswerable).answered, 1);
    assert_eq!(Separation::best(&[], &[]).answerable, 0);
}

#[test]
fn every_second_question_is_held_out() {
    assert_eq!(halves(&[1, 2, 3]), (vec![1, 3], vec![2]));
}
