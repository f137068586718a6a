"""Runs a bot with the kit on its path: ``python3 sdk/python/src/botyard BOT.py [ARGUMENTS]``.

The command names the directory of the kit, so a contained bot may read it. No installation is needed.
"""

import importlib.util
import runpy
import sys
from pathlib import Path


def load_kit(kit: Path) -> None:
    """Loads the package in ``kit`` as ``botyard``.

    A search along ``sys.path`` would list the directory that the kit lies in, which a contained bot cannot read.
    """
    spec = importlib.util.spec_from_file_location(
        "botyard", str(kit / "__init__.py"), submodule_search_locations=[str(kit)]
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["botyard"] = module
    spec.loader.exec_module(module)


def run_bot() -> None:
    """Runs the program named on the command line."""
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print("usage: python3 PATH/TO/botyard BOT.py [ARGUMENTS]", file=sys.stderr)
        sys.exit(0 if len(sys.argv) > 1 else 2)
    kit = Path(__file__).resolve().parent
    bot = Path(sys.argv[1])
    # The directory of this file is on the path, and would hide modules of the same names.
    sys.path[:] = [entry for entry in sys.path if not entry or Path(entry).resolve() != kit]
    sys.path.insert(0, str(bot.resolve().parent))
    load_kit(kit)
    sys.argv = sys.argv[1:]
    runpy.run_path(str(bot), run_name="__main__")


run_bot()
