//! Tests of question.
