//! Which network a search uses: files named, refused, and named again.

use super::*;
use crate::config::{Config, EVAL_FILE, EvaluationChoice};
use crate::eval::Network;

/// Visited in a search to a small depth, the first of a game.
fn nodes_of_a_game(engine: &mut Engine) -> u64 {
    engine.order(SearchOrder::NewGame);
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    let limits = Limits {
        depth: Some(7),
        ..Limits::default()
    };
    engine.go(Purpose::Play, limits);
    match engine.event(LONG) {
        Some(SearchEvent::Best { nodes, .. }) => nodes,
        other => panic!("{other:?}"),
    }
}

/// The same with a setting that is accepted.
fn nodes_with(engine: &mut Engine, evaluation: &EvaluationChoice) -> u64 {
    engine.order(SearchOrder::Configure(Box::new(SearchSettings {
        hash_megabytes: 1,
        evaluation: evaluation.clone(),
        ..SearchSettings::default()
    })));
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    nodes_of_a_game(engine)
}

#[test]
fn a_file_that_is_no_network_changes_nothing() {
    let mut engine = Engine::new();
    let file = tempfile::NamedTempFile::new().expect("a file");
    let evaluation = EvaluationChoice {
        eval_file: file.path().to_owned(),
        ..EvaluationChoice::default()
    };
    let config = SearchSettings {
        hash_megabytes: 1,
        evaluation: evaluation.clone(),
        ..SearchSettings::default()
    };
    let other = SearchSettings {
        multi_pv: 2,
        ..config.clone()
    };
    let good = SearchSettings {
        evaluation: EvaluationChoice::default(),
        ..config.clone()
    };
    let id = engine.go(Purpose::Play, Limits::default());
    for _ in 0..2 {
        engine.order(SearchOrder::Configure(Box::new(config.clone())));
        let Some(SearchEvent::NetworkRefused {
            reason,
            refused,
            used,
        }) = engine.event(LONG)
        else {
            panic!("an empty file is no network");
        };
        assert!(reason.ends_with("not a network of Gaur"), "{reason}");
        assert_eq!(
            (refused, used),
            (evaluation.clone(), EvaluationChoice::default())
        );
        // It is told once, until a file is named again.
        for config in [&other, &config, &good] {
            engine.order(SearchOrder::Configure(Box::new(config.clone())));
        }
        for _ in 0..4 {
            assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
        }
    }
    engine.order(SearchOrder::MoveNow(id));
    assert!(engine.best(LONG).is_some(), "the game goes on");
}

#[test]
fn a_file_that_is_named_again_is_read_again() {
    let mut engine = Engine::new();
    let file = tempfile::NamedTempFile::new().expect("a file");
    let name = file.path().to_str().expect("a name in ASCII");
    let mut config = Config::default();
    config.search.hash_megabytes = 1;
    let mut name_it = |content: &[u8]| {
        std::fs::write(file.path(), content).expect("it can be written");
        let _ = config.set(EVAL_FILE, Some(name));
        engine.order(SearchOrder::Configure(Box::new(config.search.clone())));
        let refused = match engine.event(LONG) {
            Some(SearchEvent::NetworkRefused { used, .. }) => {
                config.search.evaluation = used;
                assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
                return None;
            }
            event => event,
        };
        assert_eq!(refused, Some(SearchEvent::Configured));
        Some(nodes_of_a_game(&mut engine))
    };
    let [one, two] = [5, 6].map(|seed| Network::random(seed).to_bytes());
    assert_eq!(name_it(b""), None);
    assert_eq!(name_it(b""), None, "it is told each time");
    let with_one = name_it(&one);
    let with_two = name_it(&two);
    assert!(with_one.is_some() && with_two.is_some() && with_one != with_two);
    assert_eq!(name_it(b""), None);
    assert_eq!(name_it(&one), with_one);
}

#[test]
fn the_evaluation_that_is_chosen_is_the_one_that_plays() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), Network::random(5).to_bytes()).expect("it can be written");
    let embedded = EvaluationChoice::default();
    let classical = EvaluationChoice {
        is_classical: true,
        ..EvaluationChoice::default()
    };
    let other = EvaluationChoice {
        eval_file: file.path().to_owned(),
        ..EvaluationChoice::default()
    };
    let mut engine = Engine::new();
    let mut nodes = |evaluation| nodes_with(&mut engine, evaluation);
    let first = [&embedded, &classical, &other].map(&mut nodes);
    assert!(
        first[0] != first[1] && first[1] != first[2] && first[0] != first[2],
        "{first:?}"
    );
    assert_eq!([&embedded, &classical, &other].map(&mut nodes), first);
}

#[test]
fn without_its_file_the_classical_evaluation_is_still_what_was_asked_for() {
    let mut engine = Engine::new();
    let evaluation = EvaluationChoice {
        is_classical: true,
        eval_file: "there is no such file".into(),
        revision: 1,
    };
    engine.order(SearchOrder::Configure(Box::new(SearchSettings {
        hash_megabytes: 1,
        evaluation: evaluation.clone(),
        ..SearchSettings::default()
    })));
    let classical = EvaluationChoice {
        is_classical: true,
        ..EvaluationChoice::default()
    };
    match engine.event(LONG) {
        Some(SearchEvent::NetworkRefused { refused, used, .. }) => {
            assert_eq!((refused, used), (evaluation, classical.clone()));
        }
        event => panic!("{event:?}"),
    }
    assert_eq!(engine.event(LONG), Some(SearchEvent::Configured));
    let nodes = nodes_of_a_game(&mut engine);
    assert_eq!(nodes_with(&mut Engine::new(), &classical), nodes);
    assert_ne!(nodes_with(&mut engine, &EvaluationChoice::default()), nodes);
}

#[test]
fn a_refusal_is_told_once_though_the_classical_evaluation_is_chosen_meanwhile() {
    let mut engine = Engine::new();
    let mut evaluation = EvaluationChoice {
        eval_file: "there is no such file".into(),
        revision: 1,
        ..EvaluationChoice::default()
    };
    let mut told = 0;
    for is_classical in [false, true, true] {
        evaluation.is_classical = is_classical;
        engine.order(SearchOrder::Configure(Box::new(SearchSettings {
            hash_megabytes: 1,
            evaluation: evaluation.clone(),
            ..SearchSettings::default()
        })));
        loop {
            match engine.event(LONG) {
                Some(SearchEvent::NetworkRefused { .. }) => told += 1,
                Some(SearchEvent::Configured) => break,
                event => panic!("{event:?}"),
            }
        }
    }
    assert_eq!(told, 1);
    let nodes = nodes_of_a_game(&mut engine);
    evaluation = EvaluationChoice {
        is_classical: true,
        ..EvaluationChoice::default()
    };
    assert_eq!(nodes_with(&mut Engine::new(), &evaluation), nodes);
}

#[test]
fn a_file_that_has_gone_meanwhile_is_not_missed_by_the_classical_evaluation() {
    let mut engine = Engine::new();
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), Network::random(5).to_bytes()).expect("it can be written");
    let mut evaluation = EvaluationChoice {
        is_classical: false,
        eval_file: file.path().to_owned(),
        revision: 1,
    };
    let with_network = nodes_with(&mut engine, &evaluation);
    drop(file);
    evaluation.is_classical = true;
    assert_ne!(nodes_with(&mut engine, &evaluation), with_network);
}
