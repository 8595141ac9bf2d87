//! Circles: every kind of thing that can lead back to itself, in rings of one to three, told once with all its links and
//! nothing else; and what looks like one and ends. At last the graph in which they are found, on nodes that are numbers.

use netrep_compiler::Diagnostic;
use netrep_compiler::graph::Graph;
use netrep_diagnostics::Code;

use crate::common::{errors, pointed, told, with_file};

const FILE: &str = "rules/zz.rules";

/// A kind of ring: how its n-th of so many is written, and the words with which it leads to the next one. `N` is its own
/// name and `M` the next one's.
struct Ring {
    kind: &'static str,
    link: &'static str,
    leads: &'static str,
    /// Before all links, for each name.
    before: &'static str,
    code: Code,
}

const RINGS: &[Ring] = &[
    Ring {
        kind: "class",
        link: "class N, Ns: M with colour Red.",
        leads: "M",
        before: "",
        code: Code::CircularDefinition,
    },
    Ring {
        kind: "class by a condition",
        link: "class N, Ns of (card C): C is a M.",
        leads: "a M",
        before: "",
        code: Code::CircularDefinition,
    },
    Ring {
        kind: "adjective",
        link: "adjective N of (card C): C is M.",
        leads: "M",
        before: "",
        code: Code::CircularDefinition,
    },
    Ring {
        kind: "relation",
        link: "relation (card C) N (card D): C is M D.",
        leads: "M D",
        before: "",
        code: Code::CircularDefinition,
    },
    Ring { kind: "definition", link: "define N: card = M.", leads: "M", before: "", code: Code::CircularDefinition },
    Ring {
        kind: "derived number",
        link: "define N of (card C): number = M of C + 1.",
        leads: "M of C",
        before: "",
        code: Code::CircularDefinition,
    },
    Ring {
        kind: "derived truth",
        link: "define N of (card C): yes or no = C is M.",
        leads: "M",
        before: "",
        code: Code::CircularDefinition,
    },
    Ring {
        kind: "number that is modified",
        link: "figure N of card: number.\nrule \"N\" { [more] lamps with M > 3 get +1 N. }",
        leads: "with M > 3",
        before: "",
        code: Code::CircularModifiers,
    },
    Ring {
        kind: "verb",
        link: "verb (card C) N, Ns, Ned { does C Ms. }",
        leads: "C Ms",
        before: "",
        code: Code::NeverEnds,
    },
    Ring {
        kind: "procedure",
        link: "rule \"N\" { [course] procedure N for (card C) { steps only. }\n step only of N { perform M for C. } }",
        leads: "perform M for C",
        before: "",
        code: Code::NeverEnds,
    },
    Ring {
        kind: "passive condition",
        link: "rule \"N\" { [after] when a card as C Ns: C Ms. }",
        leads: "C Ms",
        before: "verb (card C) N, Ns, Ned.\n",
        code: Code::NeverEnds,
    },
];

const NAMES: [&str; 3] = ["humming", "droning", "buzzing"];

/// The ring of so many; rules have numbers of their own.
fn written(ring: &Ring, many: usize) -> String {
    let name = |at: usize| NAMES[at % many];
    let fill = |text: &str, at: usize| {
        let words = text.replace('N', "\u{1}").replace('M', "\u{2}");
        words
            .replace('\u{1}', name(at))
            .replace('\u{2}', name(at + 1))
            .replace("rule \"", &format!("rule 9.{} \"", at + 1))
    };
    let before: String = (0..many).map(|at| fill(ring.before, at)).collect();
    before + &(0..many).map(|at| fill(ring.link, at) + "\n").collect::<String>()
}

fn leads(ring: &Ring, many: usize) -> Vec<String> {
    let mut all: Vec<String> = (0..many).map(|at| ring.leads.replace('M', NAMES[(at + 1) % many])).collect();
    all.sort();
    all
}

#[test]
fn every_ring_is_told_once_with_all_its_links() {
    let mut wrong = Vec::new();
    for (ring, many) in RINGS.iter().flat_map(|ring| [1, 2, 3].map(|many| (ring, many))) {
        let text = written(ring, many);
        let compiler = with_file(FILE, &text);
        let diags = compiler.check();
        let found = errors(&diags);
        let said: String = found.iter().map(|diag| told(&compiler, diag)).collect();
        let [diag] = found.as_slice() else {
            wrong.push(format!("{many} of {}:\n{text}{said}", ring.kind));
            continue;
        };
        let places = std::iter::once(&diag.place).chain(diag.labels.iter().map(|label| &label.place));
        let mut at: Vec<String> = places.map(|place| pointed(&compiler, place)).collect();
        if ring.kind == "passive condition" {
            // The passive condition itself is the link from its event to what it does.
            at.retain(|text| !text.starts_with("[after]"));
        }
        at.sort();
        if diag.code != ring.code || at != leads(ring, many) {
            wrong.push(format!("{many} of {}:\n{text}{said}", ring.kind));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Who uses a word of a circle is named at the circle, and nothing is told of him.
#[test]
fn what_uses_a_circle_waits_for_it() {
    for ring in RINGS.iter().filter(|ring| matches!(ring.kind, "adjective" | "relation")) {
        let users: String = (1..=5)
            .map(|n| format!("card A-{n} \"Lamp {n}\" {{ kind Lamp. colour Red. height 1. [x] while this is a {}: this gets +1 height. }}\n", match ring.kind { "relation" => "lamp that is humming this", _ => "humming lamp" }))
            .collect();
        let compiler = with_file(FILE, &(written(ring, 2) + &users));
        let diags = compiler.check();
        let found = errors(&diags);
        let said: String = found.iter().map(|diag| told(&compiler, diag)).collect();
        assert_eq!(found.len(), 1, "{said}");
        assert!(said.contains("A-1, A-2, A-3, 2 more"), "{said}");
    }
}

/// What may end is run.
#[test]
fn what_may_end_is_no_circle() {
    let lawful: &[&str] = &[
        // Under a condition that what is done can change.
        "verb (card C) hum, hums, hummed { needs C is dusty. does C hums. }",
        "verb (card C) hum, hums, hummed { does if C is dusty { C hums }. }",
        "verb (player P) hum, hums, hummed { does P may { P hums }. }",
        "verb (card C) hum, hums, hummed { does for each dusty lamp as D { D hums }. }",
        "verb (card C) hum, hums, hummed.\nrule 9 \"A\" { [after] when a dusty card as C hums: C hums. }",
        "verb (card C) hum, hums, hummed.\nrule 9 \"A\" { [after] when a card as C hums: C hums. [not] a clean card cannot hum. }",
        "verb (card C) hum, hums, hummed.\nrule 9 \"A\" { [after] when a card as C hums if C is dusty: C hums. }",
        "rule 9 \"A\" { [course] procedure hum for (card C) { steps only. ends if C is clean. }\n step only of hum { perform hum for C. } }",
        // Asked of another thing that a fact names.
        "state lid of card: card.\ndefine depth of (card C): number = depth of lid of C + 1.",
        // A word that two words use, and a printed figure.
        "adjective hot of (card C): C is dusty.\nadjective tall of (card C): C is hot and height of C > 3.",
        "card A-9 \"L\" { kind Lamp. height 1. [more] while printed height of this > 3: this gets +1 height. }",
        "figure width of card: number.\nrule 9 \"A\" { [more] lamps with height > 3 get +1 width. }",
    ];
    let mut wrong = Vec::new();
    for text in lawful {
        let compiler = with_file(FILE, text);
        let diags: Vec<Diagnostic> = compiler.check();
        let said: String = errors(&diags).into_iter().map(|diag| told(&compiler, diag)).collect();
        if !said.is_empty() {
            wrong.push(format!("{text}\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// By way of words that are put where they are used, the words are links too.
#[test]
fn a_number_that_hangs_on_itself_by_way_of_words_shows_them() {
    let text = "adjective tall of (card C): height of C > 3.\nadjective grand of (card C): C is tall.\n\
                rule 9 \"A\" { [more] grand lamps get +1 height. }\n";
    let compiler = with_file(FILE, text);
    let diags = compiler.check();
    let found = errors(&diags);
    assert_eq!(found.len(), 1);
    let places = std::iter::once(&found[0].place).chain(found[0].labels.iter().map(|label| &label.place));
    let at: Vec<String> = places.map(|place| pointed(&compiler, place)).collect();
    assert_eq!(at, ["grand", "tall", "height of C"]);
}

fn graph(links: &[(u8, u8)]) -> Graph<u8, (u8, u8)> {
    let mut graph = Graph::default();
    links.iter().for_each(|(from, to)| graph.link(*from, *to, (*from, *to)));
    graph
}

#[test]
fn what_leads_nowhere_back_has_no_circle() {
    assert_eq!(graph(&[]).circles(), [[]; 0]);
    assert_eq!(graph(&[(1, 2), (2, 3), (1, 3), (4, 3)]).circles(), [[]; 0]);
}

#[test]
fn each_component_gives_its_shortest_circle_with_the_places_of_its_links() {
    assert_eq!(graph(&[(1, 1), (1, 2)]).circles(), [[(1, (1, 1))]]);
    let two = graph(&[(1, 2), (2, 3), (3, 1), (3, 2), (3, 4), (4, 5), (5, 6), (6, 4), (0, 1)]);
    assert_eq!(two.circles(), [vec![(2, (2, 3)), (3, (3, 2))], vec![(4, (4, 5)), (5, (5, 6)), (6, (6, 4))]]);
}

#[test]
fn a_circle_is_found_from_wherever_it_is_entered() {
    // Every ring of three among five nodes, with a way into it and out of it.
    for a in 0..5u8 {
        let (b, c) = ((a + 1) % 5, (a + 2) % 5);
        let (into, out) = ((a + 3) % 5, (a + 4) % 5);
        let found = graph(&[(into, b), (a, b), (b, c), (c, a), (c, out)]).circles();
        assert_eq!(found.len(), 1);
        let mut nodes: Vec<u8> = found[0].iter().map(|(node, _)| *node).collect();
        nodes.sort_unstable();
        let mut ring = [a, b, c];
        ring.sort_unstable();
        assert_eq!(nodes, ring);
    }
}
