//! Tests of requests.

