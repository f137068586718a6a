"""The example bots decide legally, and the bot of a language model survives whatever the server does."""

import contextlib
import importlib
import io
import json
import os
import shutil
import sys
import tempfile
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Dict, List
from unittest import mock

import kit
from kit import conversation, start, turn
from test_vectors import VECTORS

sys.path.insert(0, str(kit.ROOT / "examples"))


def bot_of(example: str) -> Any:
    module = importlib.import_module(example)
    from botyard import Bot

    classes = [v for v in vars(module).values() if isinstance(v, type) and issubclass(v, Bot) and v is not Bot]
    return classes[0]


class EveryVector(unittest.TestCase):
    """Each example is asked in many views of the vectors, with and without the list of legal actions."""

    def ask(self, example: str, game: str, most: int = 60) -> None:
        bot, games, asked, seen = bot_of(example), {}, 0, 0
        for line in (VECTORS / f"{game}.jsonl").read_text(encoding="utf-8").splitlines():
            message: Dict[str, Any] = json.loads(line)
            if "checks" not in message:
                games[message["game"]] = message
                continue
            seen += message["view"] is not None
            # Every third view, so that all rules have their share.
            if message["view"] is None or seen % 3 or asked >= most:
                continue
            declared, view = games[message["game"]], message["view"]
            legal = next(check["expect"] for check in message["checks"] if check["call"] == "legal")
            seat = view.get("to_move") or "a"
            seat = f"player-{seat}" if game == "dice-wars" else seat
            begin = start(game, rules=declared["rules"], setup=declared["setup"], you=[seat], seats=["a", "b", "c"])
            asked += 1
            for listed in (legal, None):
                said = conversation(bot, begin, turn(1, listed, view=view, seat=seat))
                self.assertIn(said[-1]["action"], legal, message["case"])
        self.assertGreater(asked, 10)

    def test_legal(self) -> None:
        for game in ["scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"]:
            with self.subTest(game):
                self.ask("legal", game)

    def test_detective(self) -> None:
        self.ask("detective", "scotland-yard", 200)

    def test_draughts_two_ply(self) -> None:
        self.ask("draughts_two_ply", "draughts")

    def test_dice_wars_rule(self) -> None:
        self.ask("dice_wars_rule", "dice-wars", 400)


class Server:
    """A stand-in for a model: answers each request by the next of the given replies."""

    def __init__(self, replies: List[Any]) -> None:
        self.requests: List[Any] = []
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                requests.append((self.path, dict(self.headers), json.loads(body)))
                reply = replies[min(len(requests), len(replies)) - 1]
                if isinstance(reply, int):
                    reply = (reply, b"")
                if isinstance(reply, tuple):
                    status, message = reply[0] if isinstance(reply[0], tuple) else (reply[0], None)
                    self.send_response(status, message)
                    for name, value in reply[2].items() if len(reply) > 2 else [("Retry-After", "0")]:
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(reply[1])
                    return
                if isinstance(reply, float):
                    time.sleep(reply)
                    reply = "1"
                if isinstance(reply, str):
                    reply = json.dumps({"choices": [{"message": {"content": reply}}]}).encode()
                with contextlib.suppress(OSError):  # A bot that waits no longer.
                    self.send_response(200)
                    self.end_headers()
                    self.wfile.write(reply)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class Models(unittest.TestCase):
    LEGAL = [{"to": number} for number in (10, 20, 30)]

    def play(self, replies: List[Any], turns: int = 1, move_ms: int = 20_000, **options: Any) -> Any:
        server = Server(replies)
        self.addCleanup(server.close)
        begin = start(rules={"board": "5x5"}, options={"url": server.url, "backoff": 0, **options})
        clock = {"kind": "wall", "move_ms": move_ms, "bank_ms": None, "increment_ms": 0}
        asked = [turn(n, self.LEGAL, view={"me": n}, clock=clock) for n in range(1, turns + 1)]
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            said = conversation(bot_of("language_model"), begin, *asked, kit.end())
        self.shown = [json.loads(line) for line in errors.getvalue().splitlines()]
        self.summary = self.shown.pop()
        self.logged = [message["text"] for message in said if message["type"] == "log"]
        return server.requests, [message for message in said if message["type"] == "move"]

    def test_an_answer(self) -> None:
        requests, [move] = self.play(["2"], model="tiny")
        self.assertEqual(move["action"], {"to": 20})
        [(path, headers, body)] = requests
        self.assertEqual((path, body["model"]), ("/v1/chat/completions", "tiny"))
        question = body["messages"][-1]["content"]
        for part in ['"board": "5x5"', '"me": 1', '3. {"to": 30}']:
            self.assertIn(part, question)
        self.assertNotIn("Authorization", headers)

    def test_the_last_number_counts(self) -> None:
        _, [move] = self.play(["I think of 1 and 2, but choose action 3."])
        self.assertEqual(move["action"], {"to": 30})

    def test_a_second_try_after_nonsense(self) -> None:
        requests, [move] = self.play(["the north", "1"])
        self.assertEqual((move["action"], move["info"]["attempts"]), ({"to": 10}, 2))
        self.assertIn("Expected a number from 1 to 3", requests[1][2]["messages"][-1]["content"])

    def test_failures_of_the_server(self) -> None:
        for reply in ["17", "", 429, 500, b"no json", b"[]", b'{"choices":[]}', b'{"choices":[{"message":null}]}']:
            requests, [move] = self.play([reply])
            self.assertIn(move["action"], self.LEGAL)
            self.assertEqual(len(requests), 2, reply)
            self.assertEqual(len(self.shown), 2, reply)

    def test_a_failure_that_passes(self) -> None:
        for reply in [429, 503, b"no json"]:
            requests, [move] = self.play([reply, reply, "3"], retries=2)
            self.assertEqual((move["action"], move["info"]["attempts"], len(requests)), ({"to": 30}, 3, 3))
            self.assertEqual(["failure" in exchange for exchange in self.shown], [True, True, False])

    def test_a_failure_that_does_not_pass(self) -> None:
        for reply in [400, 401, 404]:
            requests, [move] = self.play([reply, "3"], retries=5)
            self.assertIn(move["action"], self.LEGAL)
            self.assertEqual(len(requests), 1)
            self.assertIn(str(reply), self.logged[0])

    def test_every_exchange_is_shown_without_the_key(self) -> None:
        os.environ["LANGUAGE_MODEL_KEY"] = "secret-7"
        self.addCleanup(os.environ.pop, "LANGUAGE_MODEL_KEY")
        requests, moves = self.play(["secret-7 is the key; I take 2", 500, "the 1"], turns=2)
        self.assertEqual([headers["Authorization"] for _, headers, _ in requests], ["Bearer secret-7"] * 3)
        self.assertEqual([(exchange["turn"], exchange["answer"]) for exchange in self.shown],
                         [(1, "KEY is the key; I take 2"), (2, ""), (2, "the 1")])
        self.assertIn('"me": 1', self.shown[0]["asked"])
        self.assertEqual(moves[0]["info"]["text"], "KEY is the key; I take 2")
        asked = [body for _, _, body in requests]
        self.assertNotIn("secret-7", json.dumps([self.shown, self.logged, moves, asked]))

    def test_an_answer_without_an_action_is_kept_without_the_key(self) -> None:
        os.environ["LANGUAGE_MODEL_KEY"] = "secret-7"
        self.addCleanup(os.environ.pop, "LANGUAGE_MODEL_KEY")
        requests, moves = self.play(["x" * 195 + "secret-7", "1"])
        self.assertEqual(self.logged, ["no action in the answer: " + "x" * 195 + "KEY"])
        self.assertIn("xKEY", requests[1][2]["messages"][2]["content"])
        self.assertNotIn("secret-7", json.dumps([self.shown, moves, [body for _, _, body in requests]]))

    def test_what_is_no_key_ends_the_bot(self) -> None:
        place = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, place)
        self.addCleanup(os.environ.pop, "LANGUAGE_MODEL_KEY", None)
        file = os.path.join(place, "key")
        from_file: Dict[str, Any] = {"key-file": file}
        for key in ["secret seven", "secret\nseven", "secret\u2026seven"]:
            os.environ["LANGUAGE_MODEL_KEY"] = key
            with self.assertRaises(SystemExit) as caught:
                self.play(["1"])
            self.assertIn("one word", str(caught.exception))
            self.assertNotIn("seven", str(caught.exception))
            del os.environ["LANGUAGE_MODEL_KEY"]
            with open(file, "w", encoding="utf-8") as written:
                written.write(key)
            with self.assertRaises(SystemExit) as caught:
                self.play(["1"], **from_file)
            self.assertNotIn("seven", str(caught.exception))
        with self.assertRaises(SystemExit) as caught:
            self.play(["1"], **{**from_file, "key-file": os.path.join(place, "none")})
        self.assertIn("cannot be read", str(caught.exception))

    def test_the_body_of_an_error_is_shown_without_the_key(self) -> None:
        os.environ["LANGUAGE_MODEL_KEY"] = 'secret"7'
        self.addCleanup(os.environ.pop, "LANGUAGE_MODEL_KEY")
        body = json.dumps({"error": {"message": 'no model "tiny" for secret"7', "code": 12}}).encode()
        self.play([(404, body)])
        self.assertEqual(self.shown[0]["failure"], 'HTTP 404 Not Found: no model "tiny" for KEY')
        self.assertEqual(json.loads(self.shown[0]["body"])["error"]["code"], 12)
        self.assertEqual(self.logged, ["request failed: " + self.shown[0]["failure"]])
        self.assertNotIn("secret", json.dumps([self.shown, self.logged]))
        for body, said in [(b"no route\n", ": no route"), (b"", ""), (b'{"error":"busy"}', ": busy"), (b"[1]", ": [1]")]:
            self.play([(400, body)])
            self.assertEqual(self.shown[0]["failure"], "HTTP 400 Bad Request" + said)
        self.play([(400, b"x" * 100_000)])
        self.assertEqual(self.shown[0]["body"], "x" * 2000)
        self.play([b"<html>a page</html>"], retries=0)
        self.assertEqual(self.shown[0]["body"], "<html>a page</html>")
        self.assertIn("expected JSON", self.shown[0]["failure"])

    def test_a_redirect_is_not_followed(self) -> None:
        os.environ["LANGUAGE_MODEL_KEY"] = "secret-7"
        self.addCleanup(os.environ.pop, "LANGUAGE_MODEL_KEY")
        other = Server(["2"])
        self.addCleanup(other.close)
        for status in (301, 302, 303, 307, 308):
            requests, [move] = self.play([(status, b"", {"Location": f"{other.url}/chat/completions"})])
            self.assertEqual((len(requests), other.requests), (1, []))
            self.assertEqual(self.summary["why"], {f"HTTP {status}": 1})
            self.assertIn("redirects are not followed", self.shown[0]["failure"])

    def test_a_key_that_a_server_escapes(self) -> None:
        key = "abc/qqq+7"
        os.environ["LANGUAGE_MODEL_KEY"] = key
        self.addCleanup(os.environ.pop, "LANGUAGE_MODEL_KEY")
        self.play([((404, f"no {key} here"), b"")])
        self.assertEqual(self.shown[0]["failure"], "HTTP 404 no KEY here")
        for written in (key, r"abc\/qqq+7", r"abc/qqq\u002b7", r"\u0061bc\u002Fqqq\u002B7", r"abc\\/qqq\\u002b7"):
            message = '{"error":{"message":"no %s","of":["%s"]}}' % (written, written)
            finish = '{"choices":[{"message":{"content":"","reasoning":"%s"},"finish_reason":"a %s"}]}' % (written, written)
            for reply in [
                (400, message.encode()),
                (400, message[:-1].encode()),
                (400, f'["{written}",{"[" * 10_000}'.encode()),
                message.encode(),
                message[:-1].encode(),
                finish.encode(),
                f'{{"choices":[{{"message":{{"content":[{"1," * 64}"{written}"]}}}}]}}'.encode(),
            ]:
                self.play([reply], retries=0)
                shown = json.dumps([self.shown[0], self.logged])
                self.assertIn("KEY", shown)
                self.assertNotRegex(shown, "abc|qqq")
            self.assertEqual(sum(self.summary["why"].values()), 1)
        self.play([(400, message.encode())])
        self.assertEqual(json.loads(self.shown[0]["body"]), {"error": {"message": "no KEY", "of": ["KEY"]}})

    def test_what_python_does_not_read_is_a_reason(self) -> None:
        deep = b"[" * 100_000
        for reply, why in [
            ("9" * 5000, "no action in the answer"),
            ((429, b"", {"Retry-After": "\u00b2"}), "HTTP 429"),
            (deep, "answer of another form"),
            ((400, deep), "HTTP 400"),
            (b" " * (1 << 24) + b"{}", "answer of another form"),
        ]:
            _, [move] = self.play([reply])
            self.assertIn(move["action"], self.LEGAL)
            self.assertEqual(self.summary["why"], {why: 1})
        self.assertIn("expected at most 16777216 bytes", self.shown[0]["failure"])
        _, [move] = self.play(["0" * 5000 + "2"])
        self.assertEqual(move["action"], {"to": 20})

    def test_what_to_do_about_a_refused_parameter(self) -> None:
        for message, option in [
            ("'max_tokens' is not supported, use 'max_completion_tokens'", "limit-name=max_completion_tokens"),
            ("'temperature' does not support 0 with this model", "temperature=none"),
        ]:
            self.play([(400, json.dumps({"error": {"message": message}}).encode())])
            self.assertIn(option, self.logged[0])

    def test_parameters_of_a_request(self) -> None:
        [(_, _, body)], _ = self.play(["1"])
        self.assertEqual({**body, "messages": 0}, {"model": "default", "messages": 0, "max_tokens": 1000, "temperature": 0})
        self.assertEqual([message["role"] for message in body["messages"]], ["system", "user"])
        options: Dict[str, Any] = {"limit-name": "max_completion_tokens", "parameters": '{"reasoning_effort":"low"}'}
        [(_, _, body)], _ = self.play(["1"], limit=50, temperature="none", system="Win.", **options)
        self.assertEqual(body["messages"][0], {"role": "system", "content": "Win."})
        expected = {"model": "default", "messages": 0, "max_completion_tokens": 50, "reasoning_effort": "low"}
        self.assertEqual({**body, "messages": 0}, expected)
        options = {"limit-name": "none"}
        [(_, _, body)], _ = self.play(["1"], temperature="0.7", system="", **options)
        self.assertEqual({**body, "messages": 0}, {"model": "default", "messages": 0, "temperature": 0.7})
        self.assertEqual([message["role"] for message in body["messages"]], ["user"])

    def test_options_that_cannot_be_used_end_the_bot(self) -> None:
        for option, value in [("temperature", "cold"), ("temperature", "nan"), ("parameters", "{"), ("parameters", "[]")]:
            options: Dict[str, Any] = {option: value}
            with self.assertRaises(SystemExit) as caught:
                self.play(["1"], **options)
            self.assertIn(f"option {option}: expected a", str(caught.exception))
            self.assertIn(f"got {value!r}", str(caught.exception))

    @staticmethod
    def answer(text: Any, finish: str, **more: Any) -> bytes:
        choice = {"finish_reason": finish, "message": {"content": text, **more}}
        return json.dumps({"choices": [choice], "usage": {"total_tokens": 70}}).encode()

    def test_a_model_that_is_cut_off_has_not_answered(self) -> None:
        for text, thinking, said in [
            ("", "The best action may be 2", "while it was thinking, before it answered"),
            (None, "", "while it was thinking, before it answered"),
            ("Between 1 and 2", "", "while it answered"),
        ]:
            requests, [move] = self.play([self.answer(text, "length", reasoning_content=thinking), "1"], limit=60)
            self.assertEqual(self.logged, [f"the model was cut off after 60 tokens, {said}: raise the option limit, now 60"])
            self.assertEqual((len(requests), move["info"]["text"]), (1, "answer cut off; a random action"))
            self.assertEqual((self.shown[0]["finish"], self.shown[0].get("thinking", "")), ("length", thinking))
        self.play([self.answer("", "length")], tokens=40)
        self.assertIn("cut off after 40 tokens", self.logged[0])
        self.assertIn("budget of tokens is nearly used up", self.logged[0])
        self.play([self.answer("no", "content_filter")])
        self.assertEqual(self.logged[0], "no action in the answer: no (finish_reason content_filter)")

    def test_a_summary_of_the_game(self) -> None:
        length, page = self.answer("", "length"), b"<html>"
        self.play(["1", length, 401, "the north", "2", page, length], turns=8, retries=0, requests=7)
        expected = {"answer cut off": 2, "HTTP 401": 1, "no action in the answer": 1, "answer of another form": 1,
                    "budget of requests used up": 1}
        self.assertEqual(self.summary["why"], expected)
        self.assertEqual([self.summary[name] for name in ("answers", "replaced", "requests")], [2, 6, 7])
        self.assertTrue(self.summary["summary"].startswith(
            "the model made 2 of 8 decisions, a random action replaced 6: 2 answer cut off, 1 HTTP 401, "))
        self.play(["1"])
        self.assertEqual(self.summary["summary"], "the model made 1 of 1 decisions")

    def test_a_process(self) -> None:
        server = Server(["2", (400, b"no such model")])
        self.addCleanup(server.close)
        begin = start(options={"url": server.url})
        clock = {"kind": "wall", "move_ms": 20_000, "bank_ms": None, "increment_ms": 0}
        asked = [turn(n, self.LEGAL, clock=clock) for n in (1, 2)]
        source = (kit.ROOT / "examples/language_model.py").read_text(encoding="utf-8")
        ended = kit.process(source, kit.HELLO, begin, *asked, kit.end(), kit.QUIT)
        said = [json.loads(line) for line in ended.stdout.splitlines()]
        self.assertEqual([message["type"] for message in said], ["hello", "ready", "move", "log", "move"])
        self.assertEqual(said[2]["action"], {"to": 20})
        shown = [json.loads(line) for line in ended.stderr.splitlines()]
        self.assertEqual((len(shown), shown[1]["body"]), (3, "no such model"))
        self.assertEqual(shown[2]["summary"], "the model made 1 of 2 decisions, a random action replaced 1: 1 HTTP 400")

    def test_the_last_failure_is_not_waited_for(self) -> None:
        for retries in range(3):
            with mock.patch.object(bot_of("language_model"), "wait") as wait:
                requests, _ = self.play([500], retries=retries)
            self.assertEqual((len(requests), wait.call_count), (retries + 1, retries))

    def test_no_server(self) -> None:
        begin = start(options={"url": "http://127.0.0.1:9/v1", "backoff": 0})
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            clock = {"kind": "wall", "move_ms": 20_000, "bank_ms": None, "increment_ms": 0}
            said = conversation(bot_of("language_model"), begin, turn(1, self.LEGAL, clock=clock), kit.end())
        self.assertIn(said[-1]["action"], self.LEGAL)
        self.assertIn("--sandbox none", errors.getvalue())
        self.assertIn("1 no connection", errors.getvalue())
        self.assertIn("--sandbox none", said[2]["text"])

    def test_a_slow_server(self) -> None:
        began = time.monotonic()
        requests, [move] = self.play([8.0], move_ms=1700)
        self.assertIn(move["action"], self.LEGAL)
        self.assertLess(time.monotonic() - began, 7)

    def test_budgets(self) -> None:
        requests, moves = self.play(["1"], turns=5, requests=3)
        self.assertEqual((len(requests), len(moves)), (3, 5))
        requests, moves = self.play(["1"], turns=5, seconds=0)
        self.assertEqual((len(requests), len(moves)), (0, 5))
        # Without a count of the server, some hundred characters are a few dozen tokens.
        requests, moves = self.play(["1"], turns=5, tokens=1)
        self.assertEqual((len(requests), len(moves)), (1, 5))
        reply = json.dumps({"choices": [{"message": {"content": "1"}}], "usage": {"total_tokens": 40}}).encode()
        requests, moves = self.play([reply], turns=5, tokens=100)
        self.assertEqual((len(requests), len(moves)), (3, 5))


if __name__ == "__main__":
    unittest.main()
