//! What is no longer said, and what is said instead: told where it is met, and rewritten in texts of before.
//!
//! The rows are data: those of the language stand beside the table of forms, those of words in items `kernel`. Only a sentence
//! that cannot be read is compared with them, so what is accepted is never touched.

use std::ops::Range;

use netrep_diagnostics::Code;

use crate::finding::Diagnostic;

/// So many words at most stand for `..`.
const LONGEST_RUN: usize = 16;

/// A part of a row. Open parts are numbered among their kind.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// A word or sign as it stands.
    Said(String),
    /// `#`: a number.
    Number(usize),
    /// `^`: a label.
    Label(usize),
    /// `~`: a quoted name.
    Quoted(usize),
    /// `..`: some words, as few as possible.
    Run(usize),
    /// `@`: the name of a procedure.
    Procedure(usize),
}

/// What takes the place of what is no longer said.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mend {
    Say(Vec<Piece>),
    Advice(String),
}

/// The table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retired {
    rows: Vec<(Vec<Piece>, Mend)>,
    /// The names of procedures, in words and signs.
    procedures: Vec<Vec<String>>,
}

/// What is no longer said, at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// Where, in bytes.
    pub range: Range<usize>,
    /// What is said there.
    pub said: String,
    /// What is said instead, if the words tell it.
    pub instead: Option<String>,
    /// What to do, if they do not.
    pub advice: Option<String>,
}

/// A word, a quoted name or a sign of a text.
struct Token<'t> {
    text: &'t str,
    range: Range<usize>,
    /// A remark stands before it.
    remark: bool,
}

/// What is told of a sentence that cannot be read. What can be read and is wrong is said today.
const UNREAD: [Code; 9] = [
    Code::UnknownWord,
    Code::UnexpectedWord,
    Code::UnfinishedPhrase,
    Code::UnknownEntry,
    Code::AmbiguousPhrase,
    Code::UnknownService,
    Code::BadData,
    Code::UnknownClause,
    Code::ScenarioClause,
];

impl Retired {
    /// The rows of the language, and further ones: what was said, what is to be said, and true if that is no advice.
    pub fn with(rows: impl IntoIterator<Item = (String, String, bool)>) -> Retired {
        let mut table = Retired::of_language();
        for (before, now, is_said) in rows {
            table.add(&before, &now, is_said);
        }
        table
    }

    /// The rows of the language.
    pub fn of_language() -> Retired {
        let mut table = Retired::default();
        for line in netrep_grammar::RETIRED.lines().filter(|line| !line.starts_with("//")) {
            if let Some((before, now)) = line.split_once(" => ") {
                table.add(before, now, true);
            } else if let Some((before, how)) = line.split_once(" -- ") {
                table.add(before, how, false);
            }
        }
        table
    }

    fn add(&mut self, before: &str, now: &str, is_said: bool) {
        let mend = if is_said { Mend::Say(pieces(now)) } else { Mend::Advice(now.to_owned()) };
        let before = pieces(before);
        // A row without words would be met everywhere.
        if before.iter().any(|piece| matches!(piece, Piece::Said(_))) {
            self.rows.push((before, mend));
        }
    }

    /// The same table with the names of procedures that rows may speak of.
    #[must_use]
    pub fn with_procedures<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Retired {
        let words = |name| tokens(name).into_iter().map(|token| token.text.to_owned()).collect();
        self.procedures.extend(names.into_iter().map(words));
        self
    }

    /// What is no longer said, in the sentence of a text in which a place is; what the place touches before all else.
    pub fn met(&self, text: &str, place: Range<usize>) -> Option<Met> {
        let tokens = tokens(text);
        let here = tokens.iter().position(|token| token.range.end > place.start)?;
        let ends = |token: &Token<'_>| matches!(token.text, "." | ";" | "{" | "}");
        // total: where nothing ends before it, the first sentence of the text is meant.
        let first = tokens[..here].iter().rposition(ends).map_or(0, |at| at + 1);
        // total: the last sentence goes to the end of the text.
        let last = tokens[here..].iter().position(ends).map_or(tokens.len(), |at| here + at + 1);
        let touches = |range: &Range<usize>| range.start < place.end.max(place.start + 1) && place.start < range.end;
        let mut nearest: Option<Met> = None;
        for (before, mend) in &self.rows {
            for at in first..last {
                let Some((to, caught)) = matched(before, &tokens, at, &self.procedures) else { continue };
                let range = tokens[at].range.start..tokens[to - 1].range.end;
                let met = Met {
                    said: spaced(&text[range.clone()]),
                    instead: match mend {
                        Mend::Say(now) if !is_remarked(&tokens[at..to], &caught, at) => {
                            Some(filled(now, text, &tokens, &caught))
                        }
                        _ => None,
                    },
                    advice: match mend {
                        Mend::Say(now) => Some(format!("`{}`", spaced(&filled(now, text, &tokens, &caught)))),
                        Mend::Advice(how) => Some(how.clone()),
                    },
                    range,
                };
                if touches(&met.range) {
                    return Some(met);
                }
                nearest.get_or_insert(met);
            }
        }
        nearest
    }

    /// A diagnostic about what is no longer said as such; another as it is.
    #[must_use]
    pub fn told(&self, text: &str, diag: Diagnostic) -> Diagnostic {
        if !UNREAD.contains(&diag.code) {
            return diag;
        }
        let Some(met) = self.met(text, diag.place.start as usize..diag.place.end as usize) else { return diag };
        let mut place = diag.place;
        // total: texts are far shorter
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        (place.start, place.end) = (offset(met.range.start), offset(met.range.end));
        let told = Diagnostic::new(Code::RetiredWord, place, format!("`{}` is no longer said", met.said));
        match met.advice {
            Some(how) => told.help(format!("say {how}")),
            None => told,
        }
    }

    /// A text in which everything that is no longer said at these places is said as it is now, and what was changed.
    pub fn rewritten(&self, text: &str, places: impl IntoIterator<Item = Range<usize>>) -> (String, Vec<Met>) {
        let mut met: Vec<Met> = places.into_iter().filter_map(|place| self.met(text, place)).collect();
        met.retain(|one| one.instead.is_some());
        met.sort_by_key(|one| one.range.start);
        let mut done: Vec<Met> = Vec::new();
        let mut new = String::with_capacity(text.len());
        let mut at = 0;
        for one in met {
            if let Some(instead) = one.instead.as_ref().filter(|_| one.range.start >= at) {
                new.push_str(&text[at..one.range.start]);
                new.push_str(instead);
                at = one.range.end;
                done.push(one);
            }
        }
        new.push_str(&text[at..]);
        (new, done)
    }

    /// Rows whose new words are words of before again, as the row of one of them: they could be rewritten for ever.
    pub fn circles(&self) -> Vec<String> {
        let said = |pieces: &[Piece]| {
            let words = pieces.iter().map(|piece| match piece {
                Piece::Said(said) => said.as_str(),
                Piece::Number(_) => "7",
                Piece::Label(_) => "X",
                Piece::Quoted(_) => "\"N\"",
                Piece::Run(_) => "some words",
                Piece::Procedure(_) => "a procedure",
            });
            words.collect::<Vec<_>>().join(" ")
        };
        let new = |(_, mend): &(Vec<Piece>, Mend)| match mend {
            Mend::Say(now) => Some(said(now)),
            Mend::Advice(_) => None,
        };
        self.rows.iter().filter_map(new).filter(|text| self.met(text, 0..text.len()).is_some()).collect()
    }
}

/// What a row catches: its open parts, with the first token of each and the one behind its last.
type Catch = Vec<(Piece, usize, usize)>;

/// Where a row that fits at a token ends, and what it catches.
fn matched(row: &[Piece], tokens: &[Token<'_>], at: usize, procedures: &[Vec<String>]) -> Option<(usize, Catch)> {
    let Some((piece, rest)) = row.split_first() else { return Some((at, Vec::new())) };
    if let Piece::Procedure(_) = piece {
        let named = |name: &&Vec<String>| {
            let there = tokens.get(at..at + name.len());
            !name.is_empty() && there.is_some_and(|there| there.iter().zip(*name).all(|(one, word)| one.text == word))
        };
        return procedures.iter().filter(named).find_map(|name| {
            let end = at + name.len();
            let (to, mut caught) = matched(rest, tokens, end, procedures)?;
            caught.insert(0, (piece.clone(), at, end));
            Some((to, caught))
        });
    }
    if let Piece::Run(_) = piece {
        let within = |token: &Token<'_>| !matches!(token.text, "." | ";" | ":" | "{" | "}");
        let most = tokens[at.min(tokens.len())..].iter().take(LONGEST_RUN).take_while(|token| within(token)).count();
        return (at + 1..=at + most).find_map(|end| {
            let (to, mut caught) = matched(rest, tokens, end, procedures)?;
            caught.insert(0, (piece.clone(), at, end));
            Some((to, caught))
        });
    }
    let text = tokens.get(at)?.text;
    let fits = match piece {
        Piece::Said(said) => said == text,
        Piece::Number(_) => text.starts_with(|c: char| c.is_ascii_digit()),
        Piece::Label(_) => text.starts_with(char::is_uppercase),
        Piece::Quoted(_) => text.starts_with('"'),
        Piece::Run(_) | Piece::Procedure(_) => false,
    };
    let (to, mut caught) = matched(rest, tokens, at + 1, procedures).filter(|_| fits)?;
    if !matches!(piece, Piece::Said(_)) {
        caught.insert(0, (piece.clone(), at, at + 1));
    }
    Some((to, caught))
}

/// True if a remark stands among tokens, outside of what is kept as it is: it would be lost.
fn is_remarked(tokens: &[Token<'_>], caught: &Catch, from: usize) -> bool {
    let kept = |at: usize| caught.iter().any(|(_, a, b)| (a + 1..*b).contains(&at));
    tokens.iter().enumerate().skip(1).any(|(nth, token)| token.remark && !kept(from + nth))
}

/// New words, with what was caught in their open parts as it was written.
fn filled(now: &[Piece], text: &str, tokens: &[Token<'_>], caught: &Catch) -> String {
    let mut new = String::new();
    for piece in now {
        let part = match piece {
            Piece::Said(said) => said.as_str(),
            open => match caught.iter().find(|(one, ..)| one == open) {
                Some((_, a, b)) => &text[tokens[*a].range.start..tokens[b - 1].range.end],
                None => continue,
            },
        };
        if !new.is_empty() && !matches!(part, "." | "," | ";" | ":" | ")") && !new.ends_with('(') {
            new.push(' ');
        }
        new.push_str(part);
    }
    new
}

fn pieces(row: &str) -> Vec<Piece> {
    let mut counts = [0usize; 5];
    let mut next = |kind: usize| {
        counts[kind] += 1;
        counts[kind] - 1
    };
    let piece = |one: &str| match one {
        "#" => Piece::Number(next(0)),
        "^" => Piece::Label(next(1)),
        "~" => Piece::Quoted(next(2)),
        ".." => Piece::Run(next(3)),
        "@" => Piece::Procedure(next(4)),
        said => Piece::Said(said.to_owned()),
    };
    row.split_whitespace().map(piece).collect()
}

/// The words, quoted names and signs of a text; remarks are none.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut at, mut remark) = (0, false);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '’' | '\'');
        let long = if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            // total: a remark in the last line goes to the end of the text.
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            // total: a quotation mark that is never closed stands alone.
            rest[1..].find(['"', '\n']).map_or(1, |end| end + 2)
        } else if is_word(first) {
            // total: the last word goes to the end of the text.
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        if rest.starts_with("//") {
            remark = true;
        } else if !first.is_whitespace() {
            tokens.push(Token { text: &rest[..long], range: at..at + long, remark });
            remark = false;
        }
        at += long;
    }
    tokens
}

/// Words in one line.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
