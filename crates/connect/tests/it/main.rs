//! Integration tests. `cfg(test)` lets helpers unwrap as their tests do.

#[cfg(test)]
mod http;
#[cfg(test)]
mod mcp;
