//! The offline model from outside: tools, messages and histories in, replies out.

mod it {
    mod cases;
    mod properties;
    mod speed;
    mod support;
}
