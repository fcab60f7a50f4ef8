//! Tests of square sets.

use super::{Color, Square, SquareSet};

fn set(names: &[&str]) -> SquareSet {
    let mut set = SquareSet::EMPTY;
    for name in names {
        set.insert(Square::from_name(name).expect("a square"));
    }
    set
}

#[test]
fn pawns_do_not_attack_around_the_edge() {
    let pawns = set(&["a4", "h4", "d4"]);
    assert_eq!(
        pawns.pawn_attacks(Color::White),
        set(&["b5", "g5", "c5", "e5"])
    );
    assert_eq!(
        pawns.pawn_attacks(Color::Black),
        set(&["b3", "g3", "c3", "e3"])
    );
    assert_eq!(
        set(&["c4", "e4"]).pawn_double_attacks(Color::White),
        set(&["d5"])
    );
}

#[test]
fn spans_follow_the_direction_of_play() {
    let e4 = Square::from_name("e4").expect("a square");
    assert_eq!(
        SquareSet::of(e4).forward_fill(Color::White),
        set(&["e4", "e5", "e6", "e7", "e8"])
    );
    assert_eq!(
        SquareSet::of(e4).forward_fill(Color::Black),
        set(&["e4", "e3", "e2", "e1"])
    );
    assert_eq!(SquareSet::ranks_ahead(e4.rank(), Color::White).len(), 32);
    assert_eq!(SquareSet::ranks_ahead(e4.rank(), Color::Black).len(), 24);
    assert_eq!(set(&["a1", "c8", "c2"]).files(), 0b101);
    assert_eq!(
        set(&["b2", "g7"]).rearmost(Color::Black),
        Square::from_name("g7")
    );
}

#[test]
fn the_iterator_yields_each_square_once_in_order() {
    let squares: Vec<Square> = (!SquareSet::EMPTY).collect();
    assert_eq!(squares, Square::all().collect::<Vec<_>>());
}

#[test]
fn dark_squares_are_not_light() {
    for square in Square::all() {
        assert_eq!(SquareSet::DARK.contains(square), !square.is_light());
    }
}
