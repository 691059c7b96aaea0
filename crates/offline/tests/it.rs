//! The offline model from outside: tools, messages and histories in, replies out.

/// `cfg(test)` lets helpers unwrap as tests do.
#[cfg(test)]
mod it {
    mod cases;
    mod properties;
    mod size;
    mod speed;
    mod support;
}
