//! Mistakes that are made on purpose, to see whether they are noticed: something on which an answer hangs is not looked at.

/// What is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    /// Under a reading: that other words are declared.
    Words,
    /// Under a reading: that other things are called so.
    Names,
    /// Under a reading: that numbers hang on others.
    Numbers,
    /// Under a reading: that others play roles.
    Roles,
    /// Under a reading: that other facts are set.
    Sets,
    /// Under a reading: that other verbs are said, or listened to.
    Verbs,
    /// In fingerprints: what was asked.
    Kind,
    /// In fingerprints: the texts of what declares words.
    Declared,
    /// In fingerprints: the ids of cards.
    Cards,
    /// In fingerprints: what cards are called.
    Titles,
    /// In fingerprints: of which class cards are.
    Classes,
    /// In fingerprints: what is declared, and what things are called.
    Vocabulary,
    /// In fingerprints: the text of an item.
    Text,
    /// In fingerprints: the rulings that amend it.
    Rulings,
    /// In fingerprints: the readings by which they do.
    Readings,
    /// In fingerprints: what decides between amendments.
    Ranks,
    /// In fingerprints: words that an item uses, as they are amended.
    AmendedWords,
    /// In fingerprints: what is put into an item, as that is amended.
    Sources,
    /// In fingerprints: of what a card is a reprint.
    Originals,
    /// In fingerprints: the item, where it is read among others.
    Version,
    /// In fingerprints: the others, where it is read among them.
    Context,
    /// In fingerprints: all other texts, of what may hang on any of them.
    Texts,
}

impl Planted {
    /// Those of what is otherwise under a reading.
    pub const READINGS: [Planted; 6] =
        [Planted::Words, Planted::Names, Planted::Numbers, Planted::Roles, Planted::Sets, Planted::Verbs];

    /// Those of fingerprints of what is made of items.
    pub const PRINTS: [Planted; 16] = [
        Planted::Kind,
        Planted::Declared,
        Planted::Cards,
        Planted::Titles,
        Planted::Classes,
        Planted::Vocabulary,
        Planted::Text,
        Planted::Rulings,
        Planted::Readings,
        Planted::Ranks,
        Planted::AmendedWords,
        Planted::Sources,
        Planted::Originals,
        Planted::Version,
        Planted::Context,
        Planted::Texts,
    ];
}
