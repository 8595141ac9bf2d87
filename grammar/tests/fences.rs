//! The fenced blocks of a Markdown file.

use std::ops::Range;

use netrep_grammar::fences;

const FILE: &str = "# Title #\nIntro.\n\n## First\nWhy.\n\n```scenario one\ngiven {\n}\n```\nMore.\n~~~~ scenario\n```\n~~~\n~~~~~\n# Other\n  ```\nx";

#[test]
fn finds_blocks_with_their_surroundings() {
    let found = fences(FILE);
    let part = |range: &Range<usize>| FILE.get(range.clone()).unwrap_or("?");
    assert_eq!(found.len(), 3);
    assert_eq!((found[0].info.as_str(), part(&found[0].content)), ("scenario one", "given {\n}\n"));
    assert_eq!(found[0].headings, ["Title", "First"]);
    assert_eq!(found[0].prose, "Why.");
    assert_eq!(part(&found[1].range), "~~~~ scenario\n```\n~~~\n~~~~~\n");
    assert_eq!((part(&found[1].content), found[1].prose.as_str()), ("```\n~~~\n", "More."));
    assert_eq!((part(&found[2].content), found[2].closed), ("x", false));
    assert_eq!(found[2].headings, ["Other"]);
}

#[test]
fn what_is_no_fence() {
    for text in ["``\nx\n``\n", "    ```\nx\n", "``` a`b\nx\n", "", "#no\n"] {
        assert!(fences(text).is_empty(), "{text}");
    }
}
