//! AgentConfig: defaults and bounds.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::config::AgentConfig;

fn with(key: &str, value: &str) -> Result<AgentConfig, String> {
    let settings = BTreeMap::from([(format!("docs.{key}"), value.to_owned())]);
    AgentConfig::new(&settings).map_err(|error| error.to_string())
}

// design: 001 AgentConfig.model, AgentConfig.temperature, AgentConfig.max_tokens
// design: 001 AgentConfig.top_k_retrieval, AgentConfig.retrieval_score_threshold
// design: 001 AgentConfig.collection_name, AgentConfig.verbose
#[test]
fn defaults_are_those_of_the_design() {
    let config = AgentConfig::new(&BTreeMap::new()).unwrap();
    assert_eq!(config.model, "gpt-4-turbo-preview");
    assert_eq!(config.temperature, 0.7);
    assert_eq!(config.max_tokens, 1_000);
    assert_eq!(config.top_k_retrieval, 5);
    assert_eq!(config.retrieval_score_threshold, 0.3);
    assert_eq!(config.collections, ["web_documents"]);
    assert!(!config.verbose);
    assert!(config.system_prompt.contains("search_docs"));
}

/// Neither a setter nor interior mutability: a configuration can only be read.
// design: 001 AgentConfig state
#[test]
fn a_configuration_cannot_change() {
    fn is_frozen<T: std::panic::RefUnwindSafe + PartialEq>(_: &T) {}
    is_frozen(&AgentConfig::new(&BTreeMap::new()).unwrap());
    let source = include_str!("../config.rs");
    for change in ["&mut self", "&mut AgentConfig", "Mutex", "RwLock", "Atomic"] {
        assert!(!source.contains(change), "{change}");
    }
}

// design: 001 AgentConfig.system_prompt
#[test]
fn own_instructions_replace_the_built_in_ones() {
    assert_eq!(
        with("system_prompt", "Answer briefly.")
            .unwrap()
            .system_prompt,
        "Answer briefly."
    );
    assert!(with("verbose", "true").unwrap().verbose);
    assert!(with("verbose", "loud").is_err());
}

#[test]
fn a_wrong_value_is_named_with_what_would_be_right() {
    assert_eq!(
        with("retrieval_score_threshold", "1.5").unwrap_err(),
        "docs.retrieval_score_threshold: \"1.5\" must be from 0 to 1"
    );
    assert_eq!(
        with("top_k_retrieval", "0").unwrap_err(),
        "docs.top_k_retrieval: \"0\" must be from 1 to 20"
    );
    assert!(with("top_k_retrieval", "21").is_err());
    assert!(with("temperature", "NaN").is_err());
    assert!(with("collection_name", "../secret").is_err());
}

proptest! {
    // design: 001 AgentConfig rule temperature
    #[test]
    fn temperature_is_from_0_to_2(value in -3.0_f64..5.0) {
        prop_assert_eq!(with("temperature", &value.to_string()).is_ok(), (0.0..=2.0).contains(&value));
    }

    // design: 001 AgentConfig rule max_tokens
    #[test]
    fn max_tokens_is_positive_and_at_most_4096(value in -10_i64..9_000) {
        prop_assert_eq!(with("max_tokens", &value.to_string()).is_ok(), (1..=4_096).contains(&value));
    }

    // design: 001 AgentConfig rule top_k_retrieval
    #[test]
    fn top_k_is_from_1_to_20(value in -5_i64..40) {
        prop_assert_eq!(with("top_k_retrieval", &value.to_string()).is_ok(), (1..=20).contains(&value));
    }

    // design: 001 AgentConfig rule retrieval_score_threshold
    #[test]
    fn threshold_is_from_0_to_1(value in -1.0_f64..2.0) {
        prop_assert_eq!(with("retrieval_score_threshold", &value.to_string()).is_ok(), (0.0..=1.0).contains(&value));
    }
}
