//! Tests of the documents assistant.
