//! What pest yields for a file, as the formatter needs it: with comments, line breaks and every sign.

use crate::parser::{Refused, Rule, Rules};
use pest::iterators::{Pair, Pairs, Tokens};

/// A word, sign or comment, and what stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lexeme {
    /// What it is.
    pub(super) rule: Rule,
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
    /// Line breaks between the lexeme before and this one; 2 stands for any more.
    pub(super) breaks: u8,
    /// True if nothing stands between the lexeme before and this one.
    pub(super) tight: bool,
}

impl Lexeme {
    /// Its text.
    pub(super) fn text<'t>(&self, source: &'t str) -> &'t str {
        &source[self.start..self.end]
    }

    /// True for a comment.
    pub(super) fn is_comment(&self) -> bool {
        self.rule == Rule::COMMENT
    }

    /// True for a sign that opens.
    pub(super) fn opens(&self) -> bool {
        matches!(self.rule, Rule::open_paren | Rule::open_bracket | Rule::open_brace)
    }

    /// True for a sign that closes.
    pub(super) fn closes(&self) -> bool {
        matches!(self.rule, Rule::close_paren | Rule::close_bracket | Rule::close_brace)
    }

    /// True for a brace.
    pub(super) fn is_brace(&self) -> bool {
        matches!(self.rule, Rule::open_brace | Rule::close_brace)
    }
}

/// A lexeme, a group, or a clause of a block.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// What is no group.
    Leaf(Lexeme),
    /// Brackets and what they hold.
    Group(Group),
    /// A clause; stands in blocks only.
    Clause(Vec<Node>),
}

/// Brackets and what they hold.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The opening sign.
    pub(super) open: Lexeme,
    /// The closing sign.
    pub(super) close: Lexeme,
    /// What they hold: clauses and comments in a block, else words.
    pub(super) nodes: Vec<Node>,
    /// True if they hold clauses.
    pub(super) is_block: bool,
    /// True if no comment and no line break stands inside.
    pub(super) one_line: bool,
    /// True if the formatter must spread the group over lines: a comment stands inside, or the author broke the line
    /// behind the opening brace of this group or of one inside.
    pub(super) spread: bool,
}

impl Node {
    /// The first lexeme.
    pub(super) fn first(&self) -> Option<Lexeme> {
        match self {
            Node::Leaf(lexeme) => Some(*lexeme),
            Node::Group(group) => Some(group.open),
            Node::Clause(nodes) => nodes.first().and_then(Node::first),
        }
    }

    /// True for a comment.
    pub(super) fn is_comment(&self) -> bool {
        matches!(self, Node::Leaf(lexeme) if lexeme.is_comment())
    }

    /// The group, if it is one.
    pub(super) fn group(&self) -> Option<&Group> {
        match self {
            Node::Group(group) => Some(group),
            _ => None,
        }
    }

    /// The group, if it is one that holds clauses.
    pub(super) fn block(&self) -> Option<&Group> {
        self.group().filter(|group| group.is_block)
    }

    /// Line breaks before it.
    fn breaks(&self) -> u8 {
        breaks(std::slice::from_ref(self))
    }
}

/// Line breaks before the first of some nodes.
pub(super) fn breaks(nodes: &[Node]) -> u8 {
    // total: where there is no lexeme, there is no line break before it.
    nodes.first().and_then(Node::first).map_or(0, |first| first.breaks)
}

/// The nodes with those of clauses in place of the clauses.
pub(super) fn without_clauses(nodes: &[Node]) -> impl Iterator<Item = &Node> {
    nodes.iter().flat_map(|node| match node {
        Node::Clause(inner) => inner.as_slice(),
        other => std::slice::from_ref(other),
    })
}

/// A part of a file.
pub(super) enum Part {
    /// A comment outside of items.
    Comment(Lexeme),
    /// An item.
    Item(Vec<Node>),
}

/// The parts of a file whose items are all whole. Each item's pairs are shown to `is_right`, which may refuse them.
pub(super) fn parts(
    rules: Rules,
    text: &str,
    is_right: impl Fn(&str, Tokens<'_, Rule>) -> bool,
) -> Result<Vec<Part>, Refused> {
    let mut parts = Vec::new();
    let mut end = 0;
    for pair in rules.pairs(Rule::file, text)?.flat_map(Pair::into_inner) {
        let comments = match pair.as_rule() {
            Rule::remarks => pair.into_inner(),
            Rule::COMMENT => Pairs::single(pair),
            Rule::entry => {
                let place = pair.as_span();
                let steps = rules.steps(Rule::item, place.as_str())?;
                if !is_right(place.as_str(), steps.clone()) {
                    return Err(Refused(place.start()));
                }
                let mut reader = Reader { text, base: place.start(), steps, end };
                reader.child();
                parts.push(Part::Item(reader.nodes()));
                end = place.end();
                continue;
            }
            Rule::loose => return Err(Refused(pair.as_span().start())),
            _ => continue,
        };
        for comment in comments.filter(|pair| pair.as_rule() == Rule::COMMENT) {
            let place = comment.as_span();
            parts.push(Part::Comment(lexeme(text, Rule::COMMENT, end, place.start(), place.end())));
            end = place.end();
        }
    }
    Ok(parts)
}

/// All words, signs and comments of a file in their order, comments without the blanks at their ends.
pub(super) fn lexemes<'t>(text: &'t str, parts: &[Part]) -> Vec<(Rule, &'t str)> {
    fn see<'t>(text: &'t str, nodes: &[Node], found: &mut Vec<(Rule, &'t str)>) {
        let leaf = |lexeme: &Lexeme, found: &mut Vec<(Rule, &'t str)>| {
            found.push((lexeme.rule, lexeme.text(text).trim_end()));
        };
        for node in nodes {
            match node {
                Node::Leaf(lexeme) => leaf(lexeme, found),
                Node::Clause(nodes) => see(text, nodes, found),
                Node::Group(group) => {
                    leaf(&group.open, found);
                    see(text, &group.nodes, found);
                    leaf(&group.close, found);
                }
            }
        }
    }
    let mut found = Vec::new();
    for part in parts {
        match part {
            Part::Comment(comment) => see(text, &[Node::Leaf(*comment)], &mut found),
            Part::Item(nodes) => see(text, nodes, &mut found),
        }
    }
    found
}

fn lexeme(text: &str, rule: Rule, before: usize, start: usize, end: usize) -> Lexeme {
    let gap = &text[before..start];
    let breaks = gap.bytes().filter(|byte| *byte == b'\n').count().min(2) as u8;
    Lexeme { rule, start, end, breaks, tight: gap.is_empty() }
}

/// Walks over the pairs of an item.
struct Reader<'t> {
    text: &'t str,
    /// Where the item begins.
    base: usize,
    steps: Tokens<'t, Rule>,
    /// Where the last lexeme ended.
    end: usize,
}

impl Reader<'_> {
    fn child(&mut self) -> Option<(Rule, usize)> {
        match self.steps.next() {
            Some(pest::Token::Start { rule, pos }) => Some((rule, self.base + pos.pos())),
            _ => None,
        }
    }

    /// Where the pair ends that was entered last and holds nothing.
    fn leave(&mut self) -> usize {
        match self.steps.next() {
            Some(pest::Token::End { pos, .. }) => self.base + pos.pos(),
            _ => self.end,
        }
    }

    fn leaf(&mut self, rule: Rule, start: usize, end: usize) -> Node {
        let lexeme = lexeme(self.text, rule, self.end, start, end);
        self.end = end;
        Node::Leaf(lexeme)
    }

    /// What the pair holds that was entered last.
    fn nodes(&mut self) -> Vec<Node> {
        let mut nodes = Vec::new();
        while let Some((rule, at)) = self.child() {
            match rule {
                Rule::clause => nodes.push(Node::Clause(self.nodes())),
                Rule::grouped => nodes.extend(self.nodes()),
                Rule::paren | Rule::bracket | Rule::brace | Rule::marker | Rule::block | Rule::body => {
                    nodes.extend(self.group(matches!(rule, Rule::block | Rule::body)));
                }
                Rule::word | Rule::capital | Rule::quoted => self.owned(rule, at, &mut nodes),
                Rule::EOI => drop(self.leave()),
                _ => {
                    let end = self.leave();
                    nodes.push(self.leaf(rule, at, end));
                }
            }
        }
        nodes
    }

    fn group(&mut self, is_block: bool) -> Option<Node> {
        let mut nodes = self.nodes();
        let (Some(Node::Leaf(close)), Some(Node::Leaf(open))) = (nodes.pop(), nodes.first().cloned()) else {
            return None;
        };
        nodes.remove(0);
        let broken = open.is_brace() && nodes.first().is_some_and(|node| node.breaks() > 0);
        let inner = || without_clauses(&nodes);
        let spread = broken || inner().any(|node| node.is_comment() || node.group().is_some_and(|group| group.spread));
        let flat = |node: &Node| node.breaks() == 0 && node.group().is_none_or(|group| group.one_line);
        let one_line = !spread && close.breaks == 0 && inner().all(flat);
        Some(Node::Group(Group { open, close, nodes, is_block, one_line, spread }))
    }

    /// A word or name and its possessive ending.
    fn owned(&mut self, rule: Rule, start: usize, nodes: &mut Vec<Node>) {
        let mut ending = None;
        let end = loop {
            match self.steps.next() {
                Some(pest::Token::Start { rule: Rule::possessive, pos }) => {
                    ending = Some((self.base + pos.pos(), self.leave()));
                }
                Some(pest::Token::Start { .. }) => drop(self.leave()),
                Some(pest::Token::End { pos, .. }) => break self.base + pos.pos(),
                None => break self.end,
            }
        };
        let word = self.leaf(rule, start, ending.map_or(end, |(at, _)| at));
        nodes.push(word);
        if let Some((at, end)) = ending {
            let ending = self.leaf(Rule::possessive, at, end);
            nodes.push(ending);
        }
    }
}
