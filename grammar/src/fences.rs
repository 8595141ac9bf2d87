//! The fenced blocks of a Markdown file, each with what introduces it.

use std::ops::Range;

/// A fenced block: lines between two lines of at least three backticks or tildes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fence {
    /// What follows the opening fence on its line, trimmed: `scenario`.
    pub info: String,
    /// The lines between the fences, in bytes of the file.
    pub content: Range<usize>,
    /// The block with both fence lines.
    pub range: Range<usize>,
    /// The headings above, outermost first, without their `#` signs.
    pub headings: Vec<String>,
    /// The prose between this block and the heading or block above it, trimmed.
    pub prose: String,
    /// False if the file ends before the block does.
    pub closed: bool,
}

/// The fenced blocks of a file in order. As in CommonMark, a fence may be indented by at most three blanks, and it is
/// closed by a fence of the same sign that is at least as long.
pub fn fences(text: &str) -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    let mut headings: Vec<(usize, &str)> = Vec::new();
    let mut open: Option<(Rail<'_>, Fence)> = None;
    let mut prose = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        if let Some((rail, mut fence)) = open.take() {
            if rail.is_closed_by(line) {
                fence.content.end = start;
                fence.range.end = end;
                fence.closed = true;
                fences.push(fence);
                prose = end;
            } else {
                open = Some((rail, fence));
            }
        } else if let Some(rail) = Rail::open(line) {
            let fence = Fence {
                info: rail.info.to_owned(),
                content: end..text.len(),
                range: start..text.len(),
                headings: headings.iter().map(|(_, title)| (*title).to_owned()).collect(),
                prose: text[prose..start].trim().to_owned(),
                closed: false,
            };
            open = Some((rail, fence));
        } else if let Some((level, title)) = heading(line) {
            headings.retain(|(above, _)| *above < level);
            headings.push((level, title));
            prose = end;
        }
    }
    fences.extend(open.map(|(_, fence)| fence));
    fences
}

/// An opening fence line.
struct Rail<'t> {
    sign: char,
    length: usize,
    info: &'t str,
}

impl<'t> Rail<'t> {
    fn open(line: &'t str) -> Option<Self> {
        let line = unindented(line)?;
        let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = line.trim_start_matches(sign);
        let length = line.len() - info.len();
        let plain = sign != '`' || !info.contains('`');
        (length >= 3 && plain).then_some(Rail { sign, length, info: info.trim() })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        unindented(line).is_some_and(|line| {
            let behind = line.trim_start_matches(self.sign);
            line.len() - behind.len() >= self.length && behind.trim().is_empty()
        })
    }
}

/// The line without an indent of at most three blanks.
fn unindented(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches(' ');
    (line.len() - bare.len() <= 3).then_some(bare)
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let line = unindented(line)?.trim_end();
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    let heads = (1..=6).contains(&level) && (title.is_empty() || title.starts_with([' ', '\t']));
    heads.then(|| (level, title.trim().trim_end_matches('#').trim_end()))
}
