//! The offline model through its public interface: tools, messages and histories in, replies out.

/// `cfg(test)` lets helpers unwrap like tests.
#[cfg(test)]
mod it {
    mod cases;
    mod properties;
    mod size;
    mod speed;
    mod support;
}
