"""Statistics of games: losses, times per move and thread switches."""

import dataclasses
import math
import statistics

import engines

# A move counts as short of time if less than this share of the first clock is left.
SHORT_OF_TIME = 0.25

PLAYER_COLUMNS = (
    "lost on time", "faults", "moves", "median", "moves short of time", "short: median", "short: 99 %", "short: maximum",
    "lowest clock", "switches per move", "wait per switch",
)


@dataclasses.dataclass
class PlayerStatistics:
    """Statistics of one engine over the games of a row; times in milliseconds, `None` where nothing was measured."""

    name: str
    time_losses: int
    faults: list
    moves: int
    median: float | None
    short_moves: int
    short_median: float | None
    short_99: float | None
    short_maximum: float | None
    lowest_clock: float | None
    switches_per_move: float | None
    wait_per_switch: float | None
    threads: dict

    def cells(self):
        """Returns the cells of a Markdown row, in the order of `PLAYER_COLUMNS`."""
        values = (
            self.time_losses, len(self.faults), self.moves, self.median, self.short_moves, self.short_median,
            self.short_99, self.short_maximum, self.lowest_clock, self.switches_per_move, self.wait_per_switch,
        )
        return ["" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value) for value in values]


def percentile(times, percent):
    """Returns the time that this percentage of all times does not exceed."""
    times = sorted(times)
    return times[max(0, math.ceil(len(times) * percent / 100) - 1)] if times else None


def of_player(games, player, name, base):
    """Returns the statistics of the engine with the number `player`."""
    moves = [move for game in games for move in game.moves if move.engine == player]
    times = [move.seconds * 1000 for move in moves]
    short = [move.seconds * 1000 for move in moves if move.clock < SHORT_OF_TIME * base]
    counts = engines.ThreadCounts()
    for game in games:
        counts.update(game.counts[player])
    slices, switches = counts.total("slices"), counts.total("switches")
    return PlayerStatistics(
        name=name,
        time_losses=sum(game.is_time_loss and game.loser == player for game in games),
        faults=[game.faults[player] for game in games if player in game.faults],
        moves=len(moves),
        median=statistics.median(times) if times else None,
        short_moves=len(short),
        short_median=percentile(short, 50),
        short_99=percentile(short, 99),
        short_maximum=percentile(short, 100),
        lowest_clock=min(((move.clock - move.seconds) * 1000 for move in moves), default=None),
        switches_per_move=switches / len(moves) if switches and moves else None,
        wait_per_switch=counts.total("waited") / slices / 1e6 if slices else None,
        threads={
            name: {
                "switches": counts[name, "switches"],
                "wait": counts[name, "waited"] / max(1, counts[name, "slices"]) / 1e6,
            }
            for name in counts.names()
        },
    )


def details(row, players):
    """Returns the Markdown table with all columns, a line per engine."""
    lines = [f"{row.text()}; milliseconds", "", f"| engine | {' | '.join(PLAYER_COLUMNS)} |"]
    lines.append("|---" * (len(PLAYER_COLUMNS) + 1) + "|")
    lines.extend(f"| {player.name} | {' | '.join(player.cells())} |" for player in players)
    lines += ["", "| engine | thread | switches per move | wait per switch |", "|---|---|---|---|"]
    for player in players:
        for thread, counts in player.threads.items():
            if counts["switches"]:
                per_move = counts["switches"] / max(1, player.moves)
                lines.append(f"| {player.name} | `{thread}` | {per_move:.2f} | {counts['wait']:.2f} |")
    return "\n".join(lines)


def summary_heading(names):
    """Returns the first lines of the table of losses."""
    columns = ["time control", "busy processes", "games", *(f"lost on time by {name}" for name in names), "faults"]
    return "\n".join((f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"))


def summary(row, games, players):
    """Returns the row of the table of losses."""
    cores = f", `cores {row.cores}`" if row.cores > 1 else ""
    faults = sum(len(player.faults) for player in players)
    cells = [f"{row.time_control()}{cores}", row.busy, len(games), *(player.time_losses for player in players), faults]
    return f"| {' | '.join(map(str, cells))} |"


def as_json(row, games, players):
    """Returns everything that was measured, for `json.dumps`."""
    return {
        "conditions": dataclasses.asdict(row),
        "engines": [dataclasses.asdict(player) for player in players],
        "games": [
            {
                "opening": game.opening,
                "white": players[game.white].name,
                "result": game.result,
                "reason": game.reason,
                "loser": None if game.loser is None else players[game.loser].name,
                "faults": {players[index].name: fault for index, fault in game.faults.items()},
                "moves": [[move.engine, round(move.clock, 6), round(move.seconds, 6)] for move in game.moves],
            }
            for game in games
        ],
    }
