"""``botyard check-game`` on every game of OpenSpiel that hides something.

``python3 leaks.py`` makes a bundle of each with ``botyard new-game --from open_spiel``, and prints what the checks find.
It exits with 1 if they find something that is not known, or do not find what is.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, Tuple

import pyspiel

from referee import BUNDLE, SLOW, games_here

#: The checks that fail, by game, with what it means. All are about OpenSpiel's own texts and numbers.
KNOWN: Dict[Tuple[str, str], str] = {
    ("blackjack", "secret_views"): "after Stand the observation has the dealer's hidden card, the information state has not",
}

#: Those that fail besides these if views have tensors.
KNOWN_OF_TENSORS: Dict[Tuple[str, str], str] = {
    ("kriegspiel", "secret_views"): "the tensor counts the moves since the last capture or pawn's move of either side",
}


def hiding() -> List[str]:
    """The games in which something is hidden: by chance or by others, or the decisions of the same round."""
    names = []
    for name, _ in games_here():
        if name in SLOW:
            continue
        kind = pyspiel.load_game(name).get_type()
        imperfect = kind.information == kind.Information.IMPERFECT_INFORMATION
        if imperfect or kind.dynamics == kind.Dynamics.SIMULTANEOUS:
            names.append(name)
    return names


def checked(botyard: str, name: str, games: int, tensors: bool) -> List[Tuple[str, str]]:
    """Returns the checks that do not pass, each with what was found first."""
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as place:
        bundle = Path(place, f"spiel-{name.replace('_', '-')}")
        made = [botyard, "new-game", str(bundle), "--from", "open_spiel", name]
        ran = subprocess.run(made, env=environment, capture_output=True, text=True)
        if ran.returncode != 0:
            return [("new-game", ran.stderr.strip())]
        check = [botyard, "check-game", str(bundle), "--games", str(games), "--json"]
        check += ["--rule", "tensors=true"] if tensors else []
        ran = subprocess.run(check, env=environment, capture_output=True, text=True)
        events = [json.loads(line) for line in ran.stdout.splitlines()]
    found = []
    for event in events:
        if event["type"] == "game_check_result" and event["status"] in ("failed", "not_decided"):
            found.append((event["check"], event["findings"][0]["message"] if event["findings"] else event["message"]))
    if not events or events[-1]["type"] != "game_check_ended":
        found.append(("check-game", ran.stderr.strip()[-500:]))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="checks OpenSpiel's games that hide something")
    parser.add_argument("names", nargs="*", help="the games [default: all that hide something]")
    parser.add_argument("--botyard", default=str(BUNDLE.parents[2] / "target/debug/botyard"), help="the program")
    parser.add_argument("--games", type=int, default=20, help="random games of each [default: 20]")
    parser.add_argument("--tensors", action="store_true", help="views have tensors")
    arguments = parser.parse_args()
    names = [name for name in hiding() if not arguments.names or name in arguments.names]
    found: Dict[Tuple[str, str], str] = {}
    for name in names:
        results = checked(arguments.botyard, name, arguments.games, arguments.tensors)
        found.update({(name, check): message for check, message in results})
        print(f"{name}: {'passed' if not results else ''}", flush=True)
        for check, message in results:
            print(f"  {check}: {message[:400]}", flush=True)
    known = {**KNOWN, **(KNOWN_OF_TENSORS if arguments.tensors else {})}
    new = [key for key in found if key not in known]
    gone = [key for key in known if key[0] in names and key not in found]
    print(f"{len(names)} games; not known: {new}; known and not found: {gone}")
    return 1 if new or gone else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
