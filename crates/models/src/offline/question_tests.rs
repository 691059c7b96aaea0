//! Tests of question.

