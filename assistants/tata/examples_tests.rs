//! Every line of the file of examples can be read.

use super::*;

#[test]
fn every_line_can_be_read() {
    let lines = FILE.lines().filter(|line| !line.starts_with(['#', '[']));
    for line in lines.filter(|line| !line.is_empty()) {
        assert!(read(line).is_some(), "{line}");
    }
    assert!(lines_of("create_job_ad").count() > 5);
    assert_eq!(lines_of("no_such_tool").count(), 0);
}
