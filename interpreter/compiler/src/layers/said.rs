//! Since when readings are known, and which one answered a question on a day.

use std::sync::Arc;

use super::date::Date;

/// What an authority says, with the date of its document if it names none itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Saying {
    /// Who.
    pub name: String,
    /// The document and the place in it.
    pub document: Option<String>,
    /// Since when it is known.
    pub date: Option<Date>,
    /// Whether not all follow it.
    pub disputed: bool,
}

/// A reading with those who read it so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dated {
    /// The reading.
    pub name: Arc<str>,
    /// Who reads it so.
    pub sayings: Vec<Saying>,
}

impl Dated {
    /// The day from which on it is known; `None` if no one who reads it so has a date.
    pub(crate) fn since(&self) -> Option<Date> {
        self.sayings.iter().filter_map(|one| one.date).min()
    }

    /// True if it may be chosen on a day: somebody read it so by then, or nobody says when he did.
    pub(crate) fn is_known(&self, day: Date) -> bool {
        self.since().is_none_or(|since| since <= day)
    }

    /// When it was read so last, up to a day.
    pub(crate) fn last(&self, day: Date) -> Option<Date> {
        self.sayings.iter().filter_map(|one| one.date).filter(|date| *date <= day).max()
    }

    /// How much it counted on a day: who is not disputed before who is, then who spoke last.
    fn weight(&self, day: Date) -> Option<(bool, Date)> {
        let spoken = self.sayings.iter().filter_map(|one| one.date.map(|date| (!one.disputed, date)));
        spoken.filter(|(_, date)| *date <= day).max()
    }
}

/// The reading that answered on a day: the wanted one if it was known; else, of those that were, the one that was read so
/// last. `None`: no text of that day answers.
pub fn answer(readings: &[Dated], wanted: &str, day: Date) -> Option<usize> {
    let chosen = readings.iter().position(|one| *one.name == *wanted && one.is_known(day));
    chosen.or_else(|| {
        let weighed = readings.iter().enumerate().filter_map(|(i, one)| Some((one.weight(day)?, std::cmp::Reverse(i))));
        weighed.max().map(|(_, std::cmp::Reverse(i))| i)
    })
}
