//! The positions of chapter 3 from which the tests play. Together they hold every card of the first journey.

/// The hazards in hand: each of the six creatures, the Orcs twice.
const HAZARDS: &str =
    "Bob in hand: Orc-warriors, Orc-lieutenant, Abductor, Assassin, Barrow-wight, Giant Spiders, Orc-warriors";

/// The resources in hand: each event.
const EVENTS: &str =
    "Ann in hand: Block, Concealment, Dodge, Lucky Strike, Risky Blow, Fellowship, Lapse of Will, Block, Concealment";

/// A company of four with both weapons, on its way to Barrow-downs through a wilderness, a border-land and a
/// shadow-land, so that most creatures find a key.
const COMPANY: &str = "
    player Ann, Bob
    company C1
    Ann in play: Aragorn II, Boromir II, Elladan, Annalena, Dagger of Westernesse, Sword of Gondolin
    - in play: Rivendell, Barrow-downs, Rhudaur, Cardolan, Anduin Vales, Angmar
    fact owner of C1 is Ann
    fact \"Aragorn II\", \"Boromir II\", \"Elladan\", \"Annalena\" are in C1
    fact bearer of \"Dagger of Westernesse\" is \"Annalena\"
    fact weapon of \"Annalena\" is \"Dagger of Westernesse\"
    fact bearer of \"Sword of Gondolin\" is \"Boromir II\"
    fact weapon of \"Boromir II\" is \"Sword of Gondolin\"
    fact site of C1 is \"Rivendell\"
";

/// The company is moving.
const JOURNEY: &str = "
    fact new site of C1 is \"Barrow-downs\"
    fact path of C1 is \"Rhudaur\"
    fact path of C1 is \"Cardolan\"
    fact path of C1 is \"Anduin Vales\"
    fact path of C1 is \"Angmar\"
    fact hazard limit of C1 is 6
    begin turn for Ann at movement
    begin movement/hazard phase for C1 at hazards
";

/// The hazards of a movement/hazard phase: attacks of every kind that finds a key.
pub(crate) fn journey() -> String {
    format!("{COMPANY}\n{EVENTS}\n{HAZARDS}\n{JOURNEY}")
}

/// The same with a tapped and a wounded character, and both weapons with one who uses one of them.
pub(crate) fn battered() -> String {
    let company = COMPANY
        .replace(
            "bearer of \"Dagger of Westernesse\" is \"Annalena\"",
            "bearer of \"Dagger of Westernesse\" is \"Boromir II\"",
        )
        .replace("    fact weapon of \"Annalena\" is \"Dagger of Westernesse\"\n", "");
    let posture = "fact \"Elladan\" is tapped\nfact \"Aragorn II\" is wounded";
    format!("{company}\n{EVENTS}\n{HAZARDS}\n{posture}\n{JOURNEY}")
}

/// The three attacks of an Assassin, which no site of these positions lets in by its key.
pub(crate) fn assassin() -> String {
    let hazards = HAZARDS.replace(" Assassin,", "");
    let begin = "- in chain: Assassin\nfact owner of \"Assassin\" is Bob\nbegin onslaught for Assassin at attacks";
    format!("{COMPANY}\n{EVENTS}\n{hazards}\n{JOURNEY}\n{begin}")
}

/// The start of a turn: organization (Fellowship), long-events (Lapse of Will), then a company that stays. Both
/// weapons add prowess up to 8; here one bearer reaches that, and the other is beyond it without his weapon.
pub(crate) fn turn() -> String {
    let strong = "fact prowess of \"Boromir II\" is 7\nfact prowess of \"Annalena\" is 9";
    format!("{COMPANY}\n{EVENTS}\n{HAZARDS}\n{strong}\nfact hazard limit of C1 is 4\nbegin turn for Ann")
}

/// All positions, by name.
pub(crate) fn all() -> [(&'static str, String); 4] {
    [("journey", journey()), ("battered", battered()), ("assassin", assassin()), ("turn", turn())]
}
