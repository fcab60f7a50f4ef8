//! Orders of the account as orders for the engine.

use super::actions::EngineOrder;
use crate::engine::{Clocks, Order};

/// Returns the order for a running engine, or `None` for its start.
pub(super) fn for_engine(order: EngineOrder) -> Option<Order> {
    let clocks = |clocks: super::actions::Clocks| Clocks {
        own: clocks.own,
        opponent: clocks.opponent,
    };
    Some(match order {
        EngineOrder::NewGame { setup, clocks: now } => Order::NewGame {
            setup,
            clocks: clocks(now),
        },
        EngineOrder::OpponentMoved {
            coordinates,
            clocks: now,
        } => Order::OpponentMoved {
            coordinates,
            clocks: clocks(now),
        },
        EngineOrder::TakeBack {
            half_moves,
            setup,
            clocks: now,
        } => Order::TakeBack {
            half_moves,
            setup,
            clocks: clocks(now),
        },
        EngineOrder::OfferDraw => Order::OfferDraw,
        EngineOrder::MoveNow => Order::MoveNow,
        EngineOrder::GameOver { result, comment } => Order::GameOver { result, comment },
        EngineOrder::Line(line) => Order::Line(line),
        EngineOrder::Start => return None,
    })
}
