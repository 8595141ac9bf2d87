//! Names of before: words that have been renamed in a program go on under them.

use netrep_ir::identity::Renamed;

fn renamed(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(new, old)| ((*new).to_owned(), (*old).to_owned())).collect()
}

#[test]
fn renamed_words_have_the_names_of_before() {
    let pairs =
        renamed(&[("lamp", "light"), ("old lamp", "relic"), ("put in order", "put in order"), ("in order", "sorted")]);
    let cases = [
        ("lamp", "light"),
        ("old lamp", "relic"),
        ("old lamps", "old lamps"),
        ("a lamp/lampshade (lamp L)", "a light/lampshade (light L)"),
        ("put in order", "put in order"),
        ("in order", "sorted"),
        ("old-lamp", "old-lamp"),
        ("Lamp", "Lamp"),
    ];
    let map = Renamed::new(&pairs);
    for (text, before) in cases {
        assert_eq!(map.former(text), before, "{text}");
    }
    assert_eq!(Renamed::new(&[]).former("lamp"), "lamp");
}
