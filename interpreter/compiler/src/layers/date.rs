//! Dates, as documents and authorities write them: a day, a month or a year.
//!
//! A month or a year stands for its last day. So a text of which only the year is known counts as said when the year was
//! over, and what is asked for as of a year is asked as of its end.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A day; ordered by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// How a date is written, for whoever wrote one that is none.
pub const FORM: &str = "a date is a year, a month or a day: `1999`, `1999-05`, `1999-05-29`";

impl FromStr for Date {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Date, &'static str> {
        let mut parts = text.trim().split('-');
        let year: u16 = parts.next().filter(|y| y.len() == 4).and_then(|y| y.parse().ok()).ok_or(FORM)?;
        let mut two = |most: u8| match parts.next().map(str::parse::<u8>) {
            None => Ok(None),
            Some(Ok(n)) if (1..=most).contains(&n) => Ok(Some(n)),
            Some(_) => Err(FORM),
        };
        // total: a year stands for its last day
        let month = two(12)?.unwrap_or(12);
        let last = last_day(year, month);
        let day = two(last)?.unwrap_or(last);
        if parts.next().is_some() { Err(FORM) } else { Ok(Date { year, month, day }) }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

fn last_day(year: u16, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
