"""A bot that plays by the protocol until it misbehaves in one way, for tests of the referee.

    python3 misbehave.py MODE [AT]

It misbehaves at its AT-th question (default: the first); MODE is a function below, or `good`. Every loop
has an end, so it is harmless even without a referee. A good answer is legal[turn % len(legal)].
"""

import fcntl
import json
import os
import signal
import sys
import threading
import time

PATIENCE = 150  # seconds after which even the most stubborn mode gives up: longer than a busy host is excused


def say(message, end=b"\n"):
    line = message if isinstance(message, bytes) else json.dumps(message).encode()
    sys.stdout.buffer.write(line + end)
    sys.stdout.buffer.flush()


def action_for(turn):
    return turn["legal"][turn["turn"] % len(turn["legal"])]


def move(turn, **more):
    return {"type": "move", "turn": turn["turn"], "action": action_for(turn), **more}


def hang():
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        time.sleep(0.1)
    sys.exit(1)


# Lines that are not an answer.

def garbage(turn):
    say(b"I would rather not say")


def empty(turn):
    say(b"")


def array(turn):
    say([move(turn)])


def byte_order_mark(turn):
    say(b"\xef\xbb\xbf" + json.dumps(move(turn)).encode())


def invalid_utf8(turn):
    say(b'{"type":"log","text":"\xff"}')


def nul(turn):
    say(json.dumps(move(turn)).encode() + b"\0")


def nested(turn):
    say(b'{"type":"log","text":' + b"[" * 25_000 + b"]" * 25_000 + b"}")


def huge_number(turn):
    say(b'{"type":"move","turn":%d,"action":1e999}' % turn["turn"])


def long_integer(turn):
    say(b'{"type":"move","turn":%d,"action":%s}' % (turn["turn"], b"7" * 30))


def duplicate_key(turn):
    say(b'{"type":"move","turn":%d,"turn":%d,"action":1}' % (turn["turn"], turn["turn"]))


def wrong_type(turn):
    say({"type": "move", "turn": str(turn["turn"]), "action": action_for(turn)})


def unknown_type(turn):
    say({"type": "resign", "turn": turn["turn"]})


def ready(turn):
    say({"type": "ready"})


def wrong_turn(turn):
    say({"type": "move", "turn": turn["turn"] + 1, "action": action_for(turn)})


def illegal(turn):
    say({"type": "move", "turn": turn["turn"], "action": {"castle": "queenside"}})


def two_answers(turn):
    line = json.dumps(move(turn)).encode()
    say(line + b"\n" + line)


# Too late, too much, too little.

def late(turn):
    time.sleep(2.5)
    say(move(turn))


def slow(turn):
    time.sleep(0.8)
    say(move(turn))


def never(turn):
    hang()


def drip(turn):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        say(b" ", end=b"")
        time.sleep(0.02)


def half_a_line(turn):
    say(b'{"type":"move",', end=b"")
    hang()


def half_a_line_then_exit(turn):
    say(b'{"type":"move",', end=b"")
    sys.exit(0)


def endless_line(turn):
    for _ in range(10_000):
        say(b"x" * 10_000, end=b"")


def flood_stdout(turn):
    line = json.dumps({"type": "log", "text": "la" * 500}).encode()
    for _ in range(100_000):
        say(line)


def flood_stderr(turn):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        os.write(2, b"woe is me " * 100)


# Exits and closed pipes.

def exit_zero(turn):
    sys.exit(0)


def exit_seven(turn):
    sys.exit(7)


def kill_itself(turn):
    os.kill(os.getpid(), signal.SIGKILL)


def segfault(turn):
    os.kill(os.getpid(), signal.SIGSEGV)


def stop_itself(turn):
    os.kill(os.getpid(), signal.SIGSTOP)
    hang()


def ignore_signals(turn):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        pass


def close_stdout(turn):
    os.close(1)
    hang()


def close_stdin(turn):
    # It reads every question before this one, and none after it.
    os.close(0)
    say(move(turn))
    hang()


def leave_a_child_and_exit(turn):
    # The child keeps every pipe open.
    if os.fork() == 0:
        hang()
    sys.exit(3)


def hoard(turn):
    hoarded = []
    while True:
        hoarded.append(b"x" * 2**20)


# Answers that are valid.

def good(turn):
    say(move(turn))


def child(turn):
    if os.fork() == 0:
        hang()
    say(move(turn))


def crlf(turn):
    say(move(turn), end=b"\r\n")


def unknown_field(turn):
    say(move(turn, mood="fine", info={"score": 0.5, "text": "so far\r\nso good"}))


def draw_nonsense(turn):
    say(move(turn, info={"score": 0.5, "draw": [{"circle": 3}, {"point": 3}, {"point": 3, "color": "url(x)"}]}))


def draw_off_the_board(turn):
    say(move(turn, info={"draw": [{"point": 3}, {"arrow": [3, "7", 8]}, {"point": [7, 6]}]}))


def talkative(turn):
    say({"type": "log", "text": "thinking of turn %d" % turn["turn"]})
    os.write(2, b"noise\n" * 30_000)
    say(move(turn))


def many_lines(turn):
    # All in one atomic write, first without the answer and then with it.
    logs = [{"type": "log", "text": "line %d" % number} for number in range(30)]
    for messages in (logs, logs + [move(turn)] + logs):
        text = "".join(json.dumps(message) + "\n" for message in messages)
        assert len(text) <= 4096
        os.write(1, text.encode())


def leave_its_group(turn):
    # A signal to its old process group does not reach it, and it runs for another minute.
    os.setpgid(0, os.getpgid(os.getppid()))
    end = time.monotonic() + 60

    def spin():
        while time.monotonic() < end:
            pass

    threading.Thread(target=spin, daemon=True).start()
    say(move(turn))


def finish_and_exit(turn):
    # In the dice race: banks as soon as that wins, and exits before the referee reports the end.
    view = turn["view"]
    wins = view["banked"][view["to_move"]] + view["stake"] >= RULES["target"]
    say({"type": "move", "turn": turn["turn"], "action": "hold" if wins else "roll"})
    if wins:
        sys.exit(0)


# Careless reading, starting and leaving, for `botyard check`.

KNOWN_FIELDS = {
    "hello": {"protocol", "referee", "limits"},
    "start": {"game_id", "game", "rules", "seats", "you", "players", "time", "options", "setup", "setups"},
    "turn": {"turn", "seat", "view", "legal", "clock"},
    "end": {"outcome", "faults", "reveal"},
    "error": {"kind", "message", "fatal", "detail"},
    "quit": set(),
}


def lines_of(mode):
    """Standard input by lines; careless modes end the program where they cannot read on."""
    if mode == "short_buffer":
        while line := sys.stdin.readline(65536):
            if not line.endswith("\n"):
                sys.exit("a line is too long")
            yield line
    elif mode == "one_read_a_line":
        while text := os.read(0, 1 << 20):
            for line in text.decode().splitlines(keepends=True):
                if not line.endswith("\n"):
                    sys.exit("a line is incomplete")
                yield line
    else:
        while line := sys.stdin.readline():
            yield line


def be_careless(mode, message, games):
    """What careless modes do before they look at a message properly."""
    kind = message["type"]
    if mode == "strict_fields" and not message.keys() - {"type"} <= KNOWN_FIELDS.get(kind, message.keys()):
        sys.exit("an unknown field")
    if mode == "strict_types" and kind not in KNOWN_FIELDS:
        say({"type": "log", "text": "what?"})
        say({"type": "error", "message": "an unknown message"})
    if mode == "one_game_only" and kind == "start" and games > 1:
        sys.exit("the board is not empty")
    if mode == "one_seat_only" and kind == "turn" and message["seat"] != YOU[0]:
        sys.exit("this is not my seat")
    if mode == "speak_after_quit" and kind == "quit":
        say({"type": "bye"})
    if mode == "never_quit" and kind == "quit":
        hang()


HELLO = {"type": "hello", "protocol": 1, "name": "misbehave", "version": "1", "games": []}
OTHER_HELLOS = {
    "hello_of_protocol_2": {**HELLO, "protocol": 2},
    "hello_for_chess": {**HELLO, "games": ["chess", "go"]},
    "hello_without_name": {"type": "hello", "protocol": 1},
    "hello_with_bad_option": {**HELLO, "options": {"depth": {"kind": "int", "min": 3, "max": 1, "default": 2}}},
    "hello_with_options": {**HELLO, "options": {"depth": {"kind": "int", "min": 1, "max": 9, "default": 2}}},
    "hello_with_escapes": {**HELLO, "name": "\x1b[2J" + "very " * 100 + "long"},
}
# Modes that misbehave at every question from AT on, not only once.
LASTING = ("illegal", "slow", "crlf", "unknown_field", "talkative", "many_lines", "finish_and_exit")
RULES = {}
YOU = []


def main():
    mode = sys.argv[1] if len(sys.argv) > 1 else "good"
    at = int(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2].isdigit() else 1
    record = open(sys.argv[3], "a") if len(sys.argv) > 3 else None
    if mode == "exit_at_once":
        sys.exit(0)
    if mode == "silent":
        hang()
    if mode == "slow_start":
        time.sleep(0.7)
    if mode == "start_slowly":
        time.sleep(6)
    if mode == "alone":
        # The lock lasts as long as the process.
        globals()["LOCK"] = open(__file__)
        fcntl.flock(LOCK, fcntl.LOCK_EX | fcntl.LOCK_NB)
    if mode == "at_its_place" and os.path.basename(os.path.dirname(os.path.abspath(__file__))) != "bots":
        sys.exit("expected to be in the directory bots")
    questions = 0
    games = 0
    for line in lines_of(mode):
        if record:
            record.write(line)
            record.flush()
        message = json.loads(line)
        if message["type"] == "start":
            games += 1
            YOU[:] = message["you"]
        be_careless(mode, message, games)
        match message["type"]:
            case "hello":
                say(OTHER_HELLOS.get(mode, HELLO))
                if mode == "deaf":
                    hang()
            case "start":
                RULES.update(message["rules"])
                if mode == "exit_at_start":
                    sys.exit(4)
                if mode == "never_ready":
                    hang()
                if mode == "answer_before_asked":
                    say(b'{"type":"ready"}\n{"type":"move","turn":1,"action":"hold"}')
                else:
                    say({"type": "ready"})
            case "turn":
                questions += 1
                lasting = mode in LASTING and questions >= at
                misbehaves = questions == at or lasting
                globals().get(mode, good)(message) if misbehaves else good(message)
            case "end":
                if mode == "exit_after_end":
                    sys.exit(0)
                if mode == "speak_after_end":
                    say({"type": "ready"})
            case "quit":
                break


if __name__ == "__main__":
    main()
