//! Processes that die while they write, and that write at once. They are this test program, told by a variable to be one.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use netrep_store::Store;

use super::{BUILD, Folder, answer, bright, question};

/// Names the folder in which a process is to write.
const WRITE: &str = "NETREP_STORE_WRITE";

/// So bright is a lamp of which a process writes: large enough that it can be killed half way.
const BRIGHT: usize = 30_000;

/// A process that writes answers about lamps over and over.
fn writer(folder: &Folder) -> Child {
    let test = "processes::writes_if_it_is_told_to";
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(WRITE, &folder.0);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// No test by itself: what the processes of the others do.
#[test]
fn writes_if_it_is_told_to() {
    let Some(folder) = std::env::var_os(WRITE).map(PathBuf::from) else { return };
    let store = Store::at(folder, BUILD);
    for round in 0..10_000 {
        let about = format!("lamp {}", round % 3);
        let found = answer(&store, &about);
        assert!(found.is_none_or(|found| found == bright(&about, BRIGHT)), "another answer");
        store.keep(&question(&about), &bright(&about, BRIGHT));
    }
}

/// True if each lamp has its own answer or none; how many have one.
fn whole(folder: &Folder) -> usize {
    let known = (0..3).filter_map(|nth| {
        let about = format!("lamp {nth}");
        let found = answer(&folder.store(), &about)?;
        assert_eq!(found, bright(&about, BRIGHT), "another answer");
        Some(())
    });
    known.count()
}

/// `NETREP_KILLED` says how often (else 12).
#[test]
fn a_process_that_is_killed_while_it_writes_leaves_whole_answers() {
    let often = std::env::var("NETREP_KILLED").ok().and_then(|often| often.parse().ok()).unwrap_or(12);
    let folder = Folder::new();
    let mut half = 0;
    for round in 0..often {
        let mut child = writer(&folder);
        // The first time long enough for it to begin; then at other moments of its work.
        sleep(Duration::from_millis(if round == 0 { 400 } else { 30 + round * 7 % 90 }));
        child.kill().unwrap();
        child.wait().unwrap();
        whole(&folder);
        let aside: Vec<_> = folder.files().into_iter().filter(|file| file.extension().unwrap() == "writing").collect();
        half += aside.len();
        aside.into_iter().for_each(|file| fs::remove_file(file).unwrap());
    }
    assert!(whole(&folder) > 0, "nothing was ever written");
    eprintln!("{often} killed, {half} half way");
}

#[test]
fn eight_processes_at_once_write_and_read_whole_answers() {
    let folder = Folder::new();
    let mut children: Vec<Child> = (0..8).map(|_| writer(&folder)).collect();
    for _ in 0..20 {
        sleep(Duration::from_millis(50));
        whole(&folder);
    }
    for child in &mut children {
        assert!(child.try_wait().unwrap().is_none_or(|status| status.success()), "one found another answer");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(whole(&folder), 3);
}
