//! What is suggested for a misspelt name.

use netrep_diagnostics::{distance, is_within, nearest, suggestion};

#[test]
fn a_near_name_is_suggested_and_a_far_one_is_not() {
    let names = ["yellow", "fellow", "blue"];
    assert_eq!(nearest("yelow", names), ["yellow"]);
    assert_eq!(nearest("bleu", names), ["blue"]);
    assert_eq!(nearest("magenta", names), [""; 0]);
    assert_eq!(suggestion("yelow", names).as_deref(), Some("did you mean `yellow`?"));
}

#[test]
fn a_third_of_the_letters_may_be_wrong() {
    assert_eq!(nearest("abc", ["abx"]), ["abx"]);
    assert_eq!(nearest("abcde", ["abcxy"]), [""; 0]);
    assert_eq!(nearest("abcdef", ["abcdxy"]), ["abcdxy"]);
    assert_eq!(nearest("abcdefghijklmno", ["vwxyzfghijklmno"]), ["vwxyzfghijklmno"]);
    assert_eq!(nearest("AB-8888", ["AB-188"]), [""; 0]);
    assert_eq!(nearest("AB-8888", ["AB-888"]), ["AB-888"]);
}

#[test]
fn nearest_first_then_case_then_alphabet_and_no_more_than_three() {
    assert_eq!(nearest("lampe", ["lamps", "Lamp", "lamp"]), ["lamp", "lamps"]);
    assert_eq!(nearest("Lampe", ["lamp", "Lamp"]), ["Lamp"]);
    assert_eq!(nearest("lamp", ["lamq", "lamr", "lams", "lamt"]), ["lamq", "lamr", "lams"]);
}

#[test]
fn neither_the_name_itself_nor_a_single_letter_is_suggested() {
    assert_eq!(nearest("lamp", ["lamp", "lamp"]), [""; 0]);
    assert_eq!(nearest("ax", ["a", "x", "an"]), ["an"]);
    assert_eq!(nearest("LAMP", ["lamp"]), ["lamp"]);
}

#[test]
fn what_is_known_sooner_of_two_words_is_how_far_they_are_apart() {
    let words =
        ["lamp", "Lamp", "lapm", "lam", "lamps", "palm", "clamp", "slams", "ΩLamp", "ωlampe", "", "a", "lampshade"];
    let mut within = [0_usize; 3];
    for one in words {
        for other in words {
            for (most, found) in within.iter_mut().enumerate() {
                let is_near = is_within(one, other, most);
                assert_eq!(is_near, distance(one, other) <= most, "{one}, {other}, {most}");
                *found += usize::from(is_near);
            }
        }
    }
    assert!(within[0] < within[1] && within[1] < within[2] && within[2] < words.len() * words.len(), "{within:?}");
}
