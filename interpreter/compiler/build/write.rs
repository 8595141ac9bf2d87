//! The table of forms as Rust: enums of its names, its rows as data, and the operators that rows make.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::read::{Child, Part, Row, Table};

/// The categories whose rows are clauses, not phrases.
const CLAUSES: &str = "clause";
/// The categories whose rows are found in the tokens of the skeleton.
const BLOCKS: &str = "block";

/// The category of plain data.
const DATA: &str = "data";

/// The categories that a rule reads as a whole.
const WHOLE: &[&str] = &["noun", "fact phrase"];

/// The code of the table.
pub(crate) fn written(table: &Table) -> Result<String, String> {
    let mut code = String::new();
    names(table, &mut code)?;
    takings_of(table, &mut code)?;
    let rows: Vec<String> = table.rows.iter().map(|row| row_of(table, row)).collect::<Result<_, _>>()?;
    let _ =
        writeln!(code, "/// All rows, in the order of the table.\npub static ROWS: &[Row] = &[\n{}];", rows.concat());
    let kept: Vec<String> = table.reserved.iter().map(|(why, words)| format!("({why:?}, &{words:?})")).collect();
    let _ = writeln!(
        code,
        "/// Words that the language keeps though no form has them, with the reason.\npub static RESERVED: &[(&str, &[&str])] = &[{}];",
        kept.join(", ")
    );
    operators(table, &mut code)?;
    Ok(code)
}

fn camel(name: &str) -> String {
    let mut text = String::new();
    for word in name.split(' ') {
        let mut chars = word.chars();
        text.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        text.push_str(chars.as_str());
    }
    text
}

fn form(row: &Row) -> String {
    camel(&format!("{} {}", row.category, row.name))
}

fn list<'t>(code: &mut String, doc: &str, name: &str, variants: impl Iterator<Item = (String, &'t str)>) {
    let _ = writeln!(
        code,
        "/// {doc}\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]\npub enum {name} {{"
    );
    for (variant, doc) in variants {
        let _ = writeln!(code, "    /// {}\n    {variant},", if doc.is_empty() { "See the table." } else { doc });
    }
    code.push_str("}\n\n");
}

fn names(table: &Table, code: &mut String) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for row in &table.rows {
        if !seen.insert(form(row)) {
            return Err(format!("two rows are called `{} {}`", row.category, row.name));
        }
    }
    list(
        code,
        "The categories of the table.",
        "Category",
        table.categories.iter().map(|c| (camel(&c.name), "See the table.")),
    );
    list(code, "The rows of the table.", "Form", table.rows.iter().map(|r| (form(r), r.meaning.as_str())));
    let rules = |of_clauses: bool| -> BTreeSet<String> {
        let rows = table.rows.iter().filter(|r| (sort(table, r) == CLAUSES) == of_clauses);
        rows.filter_map(|r| r.by.as_ref().map(|by| camel(by))).collect()
    };
    list(code, "The rules that build what a row cannot say.", "Rule", rules(false).into_iter().map(|r| (r, "")));
    list(code, "The rules that build clauses.", "ClauseRule", rules(true).into_iter().map(|r| (r, "")));
    let readers = |of_blocks: bool| {
        let mut readers = BTreeSet::new();
        let rows = table.rows.iter().filter(|r| !WHOLE.contains(&r.category.as_str()));
        rows.filter(|r| (sort(table, r) == BLOCKS) == of_blocks)
            .for_each(|row| own_readers(table, &row.parts, &mut readers));
        readers.into_iter().map(|r| (r, ""))
    };
    list(code, "What holes hold that is no category.", "Own", readers(false));
    list(code, "What holes of blocks, data and declarations hold that is no category.", "Kept", readers(true));
    let infos: Vec<String> = table
        .categories
        .iter()
        .map(|c| {
            format!(
                "    Info {{ category: Category::{}, name: {:?}, shown: {:?}, sort: {:?}, binds: {}, told: {}, after: {:?} }},\n",
                camel(&c.name), c.name, c.shown, c.sort, c.binds, c.told, c.after
            )
        })
        .collect();
    let _ = writeln!(
        code,
        "/// The categories, in the order of their enum.\npub static CATEGORIES: &[Info] = &[\n{}];",
        infos.concat()
    );
    Ok(())
}

/// The sort of a row's category.
fn sort<'t>(table: &'t Table, row: &Row) -> &'t str {
    table.categories.iter().find(|c| c.name == row.category).map_or("", |c| c.sort.as_str())
}

fn own_readers(table: &Table, parts: &[Part], out: &mut BTreeSet<String>) {
    for part in parts {
        match part {
            Part::Option(inner) => own_readers(table, inner, out),
            Part::Hole { readers, .. } => {
                out.extend(
                    readers.iter().filter(|r| !table.categories.iter().any(|c| c.name == **r)).map(|r| camel(r)),
                );
            }
            Part::Before { .. } | Part::Words { .. } => {}
        }
    }
}

/// The names of the holes of a row, in order.
fn holes(parts: &[Part], out: &mut Vec<String>) {
    for part in parts {
        match part {
            Part::Before { .. } => out.push("..".to_owned()),
            Part::Option(inner) => holes(inner, out),
            Part::Hole { name, .. } => out.push(name.clone()),
            Part::Words { hole, .. } => out.extend(hole.clone()),
        }
    }
}

/// The readers, beside the categories of noun phrases, whose holes hold things: such a hole says which determiners it takes.
const THINGS: &[&str] = &[
    "np",
    "one",
    "things",
    "thing",
    "joined",
    "several",
    "single",
    "place",
    "fact",
    "fact of",
    "called",
    "anything",
    "value",
    "facts",
    "arguments",
    "belongings",
    "your own",
    "relation",
    "relation of this",
    "finite relation",
    "participle",
    "fact with",
    "plain act",
    "finite act",
    "done act",
    "suffered act",
    "plain event",
    "finite event",
    "bare event",
    "done event",
    "deed of this",
];

/// What the holes of a row take, by their places; each that holds things says so.
fn takings(table: &Table, row: &Row) -> Result<String, String> {
    fn collect<'p>(parts: &'p [Part], out: &mut Vec<(&'p str, &'p [String], &'p Option<String>)>) {
        for part in parts {
            match part {
                Part::Before { takes } => out.push(("..", &[], takes)),
                Part::Option(inner) => collect(inner, out),
                Part::Hole { name, readers, takes, .. } => out.push((name, readers, takes)),
                Part::Words { .. } => {}
            }
        }
    }
    let (mut found, mut names) = (Vec::new(), Vec::new());
    collect(&row.parts, &mut found);
    holes(&row.parts, &mut names);
    let mut code = String::new();
    for (name, readers, takes) in found {
        let at = names.iter().position(|n| n == name).unwrap_or(0);
        match takes {
            Some(takes) if table.takings.iter().any(|t| t.name == *takes) => {
                let _ = write!(code, "({at}, Takes::{}), ", camel(takes));
            }
            Some(takes) => return Err(format!("`{} {}`: there is no taking `{takes}`", row.category, row.name)),
            None if sort(table, row) != BLOCKS && readers.iter().any(|r| THINGS.contains(&r.as_str())) => {
                return Err(format!(
                    "`{} {}`: the hole `{name}` holds things and does not say which determiners it takes (`<{name}: …; all>`)",
                    row.category, row.name
                ));
            }
            None => {}
        }
    }
    Ok(code)
}

/// What holes may take, as code.
fn takings_of(table: &Table, code: &mut String) -> Result<(), String> {
    list(
        code,
        "Which determiners a hole takes.",
        "Takes",
        table.takings.iter().map(|t| (camel(&t.name), t.meaning.as_str())),
    );
    let mut infos = String::new();
    for taking in &table.takings {
        let mut forms = String::new();
        for name in &taking.determiners {
            let row = table.rows.iter().find(|r| r.category == "determiner" && r.name == *name);
            let row = row.ok_or_else(|| format!("taking `{}`: there is no determiner `{name}`", taking.name))?;
            let _ = write!(forms, "Form::{}, ", form(row));
        }
        let _ = writeln!(
            infos,
            "    Taking {{ name: {:?}, meaning: {:?}, mend: {:?}, determiners: &[{forms}] }},",
            taking.name, taking.meaning, taking.mend
        );
    }
    let _ = writeln!(
        code,
        "/// What holes may take, in the order of their enum.\npub static TAKINGS: &[Taking] = &[\n{infos}];"
    );
    Ok(())
}

/// How the holes of a row are read.
#[derive(Clone, Copy)]
enum How {
    /// By the chart.
    Own,
    /// In the tokens of the skeleton.
    Kept,
    /// Not at all: a rule reads the row.
    Whole,
}

fn how(table: &Table, row: &Row) -> How {
    match () {
        () if WHOLE.contains(&row.category.as_str()) => How::Whole,
        () if sort(table, row) == BLOCKS => How::Kept,
        () => How::Own,
    }
}

fn part_of(table: &Table, part: &Part, names: &[String], how: How) -> String {
    let at = |hole: &str| names.iter().position(|n| n == hole).unwrap_or(0);
    match part {
        Part::Before { .. } => "Part::Before".to_owned(),
        Part::Option(inner) => {
            let inner: Vec<String> = inner.iter().map(|p| part_of(table, p, names, how)).collect();
            format!("Part::Option(&[{}])", inner.join(", "))
        }
        Part::Hole { name, readers, list, between, last, .. } => {
            let readers: Vec<String> = readers
                .iter()
                .filter_map(|r| match (how, table.categories.iter().any(|c| c.name == *r)) {
                    (How::Whole, _) => None,
                    (_, true) => Some(format!("Reader::Cell(Category::{})", camel(r))),
                    (How::Own, false) => Some(format!("Reader::Own(Own::{})", camel(r))),
                    (How::Kept, false) => Some(format!("Reader::Kept(Kept::{})", camel(r))),
                })
                .collect();
            let list = match list {
                true => format!("Some(List {{ between: &{between:?}, last: &{last:?} }})"),
                false => "None".to_owned(),
            };
            format!("Part::Hole {{ hole: {}, read: &[{}], list: {list} }}", at(name), readers.join(", "))
        }
        Part::Words { hole, any, plural } => {
            format!("Part::Words {{ hole: {:?}, any: &{any:?}, plural: {plural:?} }}", hole.as_deref().map(at))
        }
    }
}

fn child_of(row: &Row, child: &Child, names: &[String]) -> Result<String, String> {
    let hole = match &child.hole {
        None => None,
        Some(name) => match names.iter().position(|n| n == name) {
            Some(at) => Some(at),
            None if row.by.is_some() => Some(0),
            None => return Err(format!("`{} {}` has no hole `{name}`", row.category, row.name)),
        },
    };
    Ok(format!("Child {{ hole: {hole:?}, denied: {}, many: {}, maybe: {} }}", child.denied, child.many, child.maybe))
}

fn row_of(table: &Table, row: &Row) -> Result<String, String> {
    if row.within.is_empty() == (row.category == DATA) {
        return Err(format!(
            "`{} {}`: rows of data, and no others, say in which items they stand",
            row.category, row.name
        ));
    }
    let mut names = Vec::new();
    holes(&row.parts, &mut names);
    let parts: Vec<String> = row.parts.iter().map(|p| part_of(table, p, &names, how(table, row))).collect();
    let children: Vec<String> = row.children.iter().map(|c| child_of(row, c, &names)).collect::<Result<_, _>>()?;
    let rule = match &row.by {
        _ if sort(table, row) == BLOCKS => "Builder::Data".to_owned(),
        Some(by) if sort(table, row) == CLAUSES => format!("Builder::Clause(ClauseRule::{})", camel(by)),
        Some(by) => format!("Builder::Rule(Rule::{})", camel(by)),
        None => "Builder::Plain".to_owned(),
    };
    Ok(format!(
        "    Row {{ form: Form::{}, category: Category::{}, name: {:?}, pattern: {:?}, parts: &[{}], holes: &{names:?}, operator: {:?}, children: &[{}], takes: &[{}], builder: {rule}, within: &{:?}, once: {}, meaning: {:?}, example: {:?} }},\n",
        form(row),
        camel(&row.category),
        row.name,
        row.pattern.join(" "),
        parts.join(", "),
        row.made.as_ref().map_or("", |(op, _)| op.as_str()),
        children.join(", "),
        takings(table, row)?,
        row.within,
        row.once,
        row.meaning,
        row.example,
    ))
}

/// The operators of the rows that no rule builds.
fn operators(table: &Table, code: &mut String) -> Result<(), String> {
    code.push_str("/// The operator that a row makes of what its holes hold; none if it hands on a hole.\n");
    code.push_str("pub(in crate::phrase) fn operator(form: Form, found: &Match) -> Option<Op> {\n    match form {\n");
    let mut rest = Vec::new();
    for row in &table.rows {
        let (Some((op, data)), None, true) = (&row.made, &row.by, sort(table, row) != BLOCKS) else {
            rest.push(format!("Form::{}", form(row)));
            continue;
        };
        let mut names = Vec::new();
        holes(&row.parts, &mut names);
        let mut args = Vec::new();
        for datum in data {
            if datum == "true" || datum == "false" || datum.contains("::") {
                args.push(datum.clone());
                continue;
            }
            let at = names.iter().position(|n| n == datum);
            let at = at.ok_or_else(|| format!("`{} {}` has no hole `{datum}`", row.category, row.name))?;
            args.push(format!("Datum::of(found, {at})?"));
        }
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        let _ = writeln!(code, "        Form::{} => Some(Op::{op}{args}),", form(row));
    }
    let _ = writeln!(code, "        {} => None,\n    }}\n}}", rest.join(" | "));
    Ok(())
}
