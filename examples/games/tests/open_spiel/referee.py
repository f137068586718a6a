"""Games of OpenSpiel through the referee, and again in OpenSpiel.

``python3 referee.py`` plays random games of every game with ``botyard match``, and plays each replay again in OpenSpiel,
from the recorded actions and outcomes of chance alone: the player whose turn it is, the end and the returns must be the
same. It needs ``open_spiel`` and a built ``botyard``; ``--help`` has the options. It prints a row for each game, and
exits with 1 if one of them differs.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import pyspiel

BUNDLE = Path(__file__).resolve().parents[2] / "open_spiel"
sys.dont_write_bytecode = True  # The digest of a bundle is that of its files.
sys.path.insert(0, str(BUNDLE))

from names import LEFT_OUT  # noqa: E402

#: The seats that the referee has.
MOST_SEATS = 8


#: Games whose answers take so long that a busy host can exceed the limit: they are played when they are named.
SLOW = {"bridge_uncontested_bidding"}


class Row(NamedTuple):
    """What one game gave."""

    name: str
    players: int
    chance: str
    hidden: str
    games: int
    longest: int
    #: Decisions and outcomes of chance a second, with bots, referee and rules program.
    speed: float
    #: Microseconds of the rules program for each of them.
    program: float


class Different(Exception):
    """A replay that OpenSpiel does not play."""


def number_of(state: Any, player: int, legal: List[int], label: Any) -> int:
    """Returns the action with a recorded label."""
    found = [action for action in legal if action == label or state.action_to_string(player, action) == label]
    if len(found) != 1:
        raise Different(f"{label!r} is {len(found)} of the legal actions of player {player}")
    return found[0]


def replayed(lines: List[Dict[str, Any]]) -> int:
    """Plays a replay in OpenSpiel. Returns the number of its events. Raises :class:`Different`."""
    header, opening, events, end = lines[0], lines[1]["outcome"], lines[2:-1], lines[-1]
    rules = header["rules"]
    given = dict(rules["parameters"])
    game = pyspiel.load_game(rules["game"])
    if "players" in game.get_type().parameter_specification:
        given["players"] = rules["players"]
    specification = game.get_type().parameter_specification
    given = {key: value for key, value in given.items() if value != specification[key]}
    if "seed" in opening:
        given["rng_seed"] = opening["seed"]
    state = pyspiel.load_game(rules["game"], given).new_initial_state()
    seats = [seat["seat"] for seat in header["seats"]]
    joint: Dict[int, int] = {}
    played = 0
    for event in events:
        while "seed" in opening and state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        if event["type"] == "chance":
            if not state.is_chance_node():
                raise Different(f"event {played}: nothing is drawn here")
            state.apply_action(number_of(state, -1, state.legal_actions(), event["outcome"]))
        elif event["type"] == "move":
            player = seats.index(event["seat"])
            number = number_of(state, player, state.legal_actions(player), event["action"])
            if state.is_simultaneous_node():
                joint[player] = number
                deciding = [player for player in range(len(seats)) if state.legal_actions(player)]
                if list(joint) == deciding:
                    state.apply_actions([joint.get(player, 0) for player in range(len(seats))])
                    joint = {}
            elif state.current_player() != player:
                raise Different(f"event {played}: it is the turn of player {state.current_player()}, not {player}")
            else:
                state.apply_action(number)
        elif event["type"] == "state":
            continue
        else:
            raise Different(f"event {played} is {event['type']}")
        played += 1
    while "seed" in opening and state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    if not state.is_terminal():
        raise Different("the game is not over in OpenSpiel")
    outcome = end["outcome"]
    if outcome["kind"] != "completed" or max(map(abs, map(float.__sub__, outcome["scores"], state.returns()))) > 1e-9:
        raise Different(f"the outcome is {outcome}, the returns are {state.returns()}")
    return played


def lines_of(path: Path) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def play(botyard: str, name: str, players: int, games: int, seed: int) -> Row:
    """Plays games of one game. Raises :class:`Different`."""
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as directory:
        command = [botyard, "match", str(BUNDLE), *["random"] * players, "--rule", f"game={name}", "--games", str(games)]
        command += ["--seed", str(seed), "--out", directory, "--json", "--move-time", "60000"]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True)
        if ran.returncode != 0:
            raise Different(f"exit code {ran.returncode}: {ran.stderr.strip() or ran.stdout[-600:]}")
        ended = [event for event in map(json.loads, ran.stdout.splitlines()) if event["type"] == "game_ended"]
        counts = [replayed(lines_of(path)) for path in sorted(Path(directory).glob("*.ndjson"))]
        if len(counts) != games:
            raise Different(f"{len(counts)} replays of {games} games")
    elapsed = sum(event["elapsed_us"] for event in ended)
    program = sum(event["rules_us"] for event in ended)
    kind = pyspiel.load_game(name).get_type()
    chance = "" if kind.chance_mode == kind.ChanceMode.DETERMINISTIC else "yes"
    hidden = "yes" if kind.information == kind.Information.IMPERFECT_INFORMATION else ""
    if kind.dynamics == kind.Dynamics.SIMULTANEOUS:
        hidden = "simultaneous" if not hidden else "yes, simultaneous"
    total = max(sum(counts), 1)
    return Row(name, players, chance, hidden, games, max(counts), total / elapsed * 1e6, program / total)


def games_here(longest: Optional[int] = None) -> Iterator[Tuple[str, int]]:
    """The games of the registry that need no parameters and end within ``longest`` moves, with their players."""
    for kind in pyspiel.registered_games():
        if kind.default_loadable and kind.short_name not in LEFT_OUT:
            game = pyspiel.load_game(kind.short_name)
            if longest is None or game.max_game_length() <= longest:
                yield kind.short_name, game.num_players()


def table(rows: List[Row]) -> str:
    """The rows as Markdown."""
    lines = ["| game | players | chance | hidden | longest | plies/s | µs |", "| --- | --- | --- | --- | ---: | ---: | ---: |"]
    for row in rows:
        kind = pyspiel.load_game(row.name).get_type()
        least, most = kind.min_num_players, min(kind.max_num_players, MOST_SEATS)
        players = f"{row.players}" if least == most else f"{row.players} ({least} to {most})"
        figures = f"{row.longest:,} | {row.speed:,.0f} | {row.program:,.0f}"
        lines.append(f"| `{row.name}` | {players} | {row.chance} | {row.hidden} | {figures} |")
    return "\n".join(lines) + "\n"


def with_table(page: str, rows: List[Row]) -> str:
    """A page with these rows instead of its table of games."""
    begin = page.index("| game |")
    end = page.find("\n\n", begin)
    return page[:begin] + table(rows).rstrip("\n") + (page[end:] if end >= 0 else "\n")


def main(words: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(description="plays OpenSpiel's games through the referee and again in OpenSpiel")
    parser.add_argument("names", nargs="*", help="the games [default: all]")
    parser.add_argument("--botyard", default=str(BUNDLE.parents[2] / "target/debug/botyard"), help="the program")
    parser.add_argument("--games", type=int, default=20, help="games of each [default: 20]")
    parser.add_argument("--longest", type=int, metavar="N", help="only games that end within N moves")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", type=Path, metavar="PAGE", help="replace the table of games in this page")
    arguments = parser.parse_args(words)
    rows, different = [], []
    for name, players in games_here(arguments.longest):
        if name not in (arguments.names or {name} - SLOW):
            continue
        try:
            rows.append(play(arguments.botyard, name, players, arguments.games, arguments.seed))
            print(*rows[-1], flush=True)
        except Different as error:
            different.append(name)
            print(f"{name}: {error}", flush=True)
    print(f"{len(rows)} games are the same in OpenSpiel, {len(different)} are not: {' '.join(different)}")
    if arguments.table:
        page = with_table(arguments.table.read_text(encoding="utf-8"), rows)
        arguments.table.write_text(page, encoding="utf-8")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
