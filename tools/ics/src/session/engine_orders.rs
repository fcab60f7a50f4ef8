//! Orders of the account as calls of the engine.

use super::actions::EngineOrder;
use crate::engine::Engine;

/// Carries out an order that needs a running engine.
pub(super) fn give(engine: &mut Engine, order: EngineOrder) {
    match order {
        EngineOrder::NewGame { setup, clocks } => {
            engine.new_game(&setup, clocks.own, clocks.opponent)
        }
        EngineOrder::OpponentMoved {
            coordinates,
            clocks,
        } => {
            engine.opponent_moved(&coordinates, clocks.own, clocks.opponent);
        }
        EngineOrder::TakeBack {
            half_moves,
            setup,
            clocks,
        } => engine.take_back(half_moves, &setup, clocks.own, clocks.opponent),
        EngineOrder::OfferDraw => engine.draw_offered(),
        EngineOrder::MoveNow => engine.move_now(),
        EngineOrder::GameOver { result, comment } => engine.game_over(result, &comment),
        EngineOrder::Line(line) => engine.send_line(&line),
        // The runner starts the process.
        EngineOrder::Start => {}
    }
}
