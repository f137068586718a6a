"""Asks a language model over an OpenAI-compatible address: the view and the legal actions go into the prompt.

The model, the address and the budget of calls, tokens and seconds are options. Whatever the model answers, the bot
plays a legal action: a random one if the answer is not legal or too late, or the budget is used up. Every exchange is
printed to standard error, as one JSON object per line, without the key.

A contained bot has no network. Run it with ``--sandbox none``, and give it time:

    botyard match scotland-yard "python3 language_model.py" random --sandbox none --move-time 30000 \\
        --option language_model:url=http://127.0.0.1:8080/v1 --option language_model:model=NAME

The key, if the address needs one, is that in the environment variable LANGUAGE_MODEL_KEY. A match passes no variable
of yours to a bot: name a file with the key by the option ``key-file``. docs/do/ask-a-language-model.md says more.
"""

import json
import os
import queue
import re
import sys
import threading
import time
import urllib.error
import urllib.request
from typing import Any, List, Optional, Tuple

from botyard import Bot, FloatOption, Game, IntOption, TextOption, Turn, main

SYSTEM = (
    "You play a board game. You get the rules, what you see, and the numbered legal actions, as JSON. "
    "Answer with the number of the action that you choose, and nothing else."
)
KEY_VARIABLE = "LANGUAGE_MODEL_KEY"
NO_NETWORK = "a contained bot has no network: play with --sandbox none"

#: The server may answer the same request later.
PASSING = {408, 425, 429, 500, 502, 503, 504}


class LanguageModel(Bot[Any, Any]):
    name = "language-model"
    answer_on_error = True
    url = TextOption("http://127.0.0.1:8080/v1", about="base address of the API")
    model = TextOption("default", about="name of the model")
    key_file = TextOption("", name="key-file", about="file with the key of the API")
    requests = IntOption(200, min=0, max=100_000, about="most requests in a game")
    tokens = IntOption(500_000, min=0, max=1_000_000_000, about="most tokens in a game, of questions and answers")
    seconds = FloatOption(600.0, min=0.0, max=86_400.0, about="most seconds of waiting in a game")
    retries = IntOption(1, min=0, max=10, about="further requests after a failure or an answer that is no action")
    backoff = FloatOption(0.5, min=0.0, max=60.0, about="seconds before the first repeat of a failed request; then doubled")

    def start(self, game: Game) -> None:
        self.left_requests = self.requests
        self.left_seconds = self.seconds
        self.left_tokens = self.tokens
        self.key = self.read_key()

    def read_key(self) -> str:
        """Returns the key, or an empty text without one. Exits if it cannot be used: an exception would let the bot
        play on without the model, and its text might have the key."""
        key = os.environ.get(KEY_VARIABLE, "").strip()
        if self.key_file:
            try:
                with open(self.key_file, encoding="utf-8") as file:
                    key = file.read().strip()
            except (OSError, UnicodeDecodeError) as error:
                reason = getattr(error, "strerror", None) or "it is not UTF-8"
                sys.exit(f"{self.name}: the key in {self.key_file} cannot be read: {reason}")
        if (key or self.key_file) and not re.fullmatch(r"[!-~]+", key):
            place = self.key_file or KEY_VARIABLE
            sys.exit(f"{self.name}: expected a key of one word of ASCII characters in {place}, got something else")
        return key

    def choose(self, turn: Turn[Any, Any]) -> Any:
        actions = turn.legal_actions()
        if len(actions) == 1:
            return actions[0]
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": self.prompt(turn, actions)}]
        for attempt in range(self.retries + 1):
            # One second is reserved for the answer.
            timeout = min(turn.time_left() - 1.0, self.left_seconds)
            if min(self.left_requests, self.left_tokens) <= 0 or timeout < 0.5:
                turn.info(text="budget used up; a random action")
                break
            began, text, used, failure = time.monotonic(), "", 0, None
            try:
                text, used = self.ask(messages, timeout)
            except Exception as error:
                failure = error
            took = time.monotonic() - began
            # A model or a server may repeat the key. What follows is printed, recorded and sent again.
            text = self.without_key(text)
            self.left_requests -= 1
            self.left_seconds -= took
            self.left_tokens -= used
            self.show(turn.number, messages, text, used, took, failure)
            if failure is not None:
                turn.log(f"request failed: {self.without_key(in_words(failure))}")
                if not is_passing(failure):
                    turn.info(text="no answer of the model; a random action")
                    break
                if attempt < self.retries:
                    self.wait(turn, attempt, failure)
                continue
            number = chosen(text, len(actions))
            if number is not None:
                turn.info(text=text[:200], attempts=attempt + 1)
                return actions[number]
            turn.log(f"no action in the answer: {text[:200]}")
            messages += [
                {"role": "assistant", "content": text},
                {"role": "user", "content": f"Expected a number from 1 to {len(actions)} and nothing else."},
            ]
        else:
            turn.info(text="no legal answer of the model; a random action")
        return turn.random.choice(actions)

    def prompt(self, turn: Turn[Any, Any], actions: List[Any]) -> str:
        """Returns the question: rules, view and numbered actions."""
        numbered = "\n".join(f"{number}. {json.dumps(action)}" for number, action in enumerate(actions, 1))
        return (
            f"Game: {turn.game.name}\nRules: {json.dumps(turn.game.rules)}\nYour seat: {turn.seat}\n"
            f"What you see: {json.dumps(turn.view)}\nLegal actions:\n{numbered}\nNumber of your action:"
        )

    def wait(self, turn: Turn[Any, Any], attempt: int, failure: Exception) -> None:
        """Waits before the next request: as long as the server asks for, or twice as long as before."""
        headers = getattr(failure, "headers", None) or {}
        asked = str(headers.get("Retry-After") or "")
        seconds = float(asked) if asked.isdigit() else self.backoff * 2**attempt
        seconds = max(0.0, min(seconds, turn.time_left() - 2.0, self.left_seconds))
        self.left_seconds -= seconds
        time.sleep(seconds)

    def show(
        self, number: int, messages: List[Any], text: str, used: int, took: float, failure: Optional[Exception]
    ) -> None:
        """Prints an exchange to standard error."""
        exchange = {"turn": number, "asked": messages[-1]["content"], "answer": text, "tokens": used}
        exchange["seconds"] = round(took, 3)
        if failure is not None:
            # Before it is JSON, which writes some characters of a key in another way.
            exchange["failure"] = self.without_key(in_words(failure))
        print(json.dumps(exchange), file=sys.stderr, flush=True)

    def without_key(self, text: str) -> str:
        return text.replace(self.key, "KEY") if self.key else text

    def ask(self, messages: List[Any], timeout: float) -> Tuple[str, int]:
        """Returns the model's answer and the tokens used. Raises ``OSError`` and others if there is none in time."""
        most = max(1, min(1000, self.left_tokens))
        body = {"model": self.model, "messages": messages, "max_tokens": most, "temperature": 0}
        request = urllib.request.Request(
            self.url.rstrip("/") + "/chat/completions",
            data=json.dumps(body).encode("utf-8"),
            headers={"Content-Type": "application/json"},
        )
        if self.key:
            request.add_header("Authorization", f"Bearer {self.key}")
        # A socket's timeout limits each wait, not the whole answer: a thread can be abandoned.
        answers: "queue.Queue[Any]" = queue.Queue()

        def fetch() -> None:
            try:
                with urllib.request.urlopen(request, timeout=timeout) as response:
                    answers.put(json.load(response))
            except urllib.error.HTTPError as error:
                error.close()
                answers.put(error)
            except Exception as error:
                answers.put(error)

        threading.Thread(target=fetch, daemon=True).start()
        try:
            answer = answers.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"no answer after {timeout:.1f} s") from None
        if isinstance(answer, Exception):
            raise answer
        text = str(answer["choices"][0]["message"]["content"])
        used = (answer.get("usage") or {}).get("total_tokens")
        if not isinstance(used, int) or used < 0:
            # A server that does not count: some four characters are a token.
            used = (len(text) + sum(len(message["content"]) for message in messages)) // 4
        return text, used


def is_passing(failure: Exception) -> bool:
    """Returns whether the same request may succeed later."""
    return not isinstance(failure, urllib.error.HTTPError) or failure.code in PASSING


def in_words(failure: Exception) -> str:
    """Returns what failed, and what to do where it is the network."""
    text = f"{type(failure).__name__}: {failure}"
    is_network = isinstance(failure, urllib.error.URLError) and not isinstance(failure, urllib.error.HTTPError)
    return f"{text} ({NO_NETWORK})" if is_network else text


def chosen(text: str, count: int) -> Optional[int]:
    """Returns the index of the action that an answer names: its last number, if that is one of the list."""
    numbers = re.findall(r"(?<![\w.-])\d+(?![\w-])", text)
    if not numbers or not 1 <= int(numbers[-1]) <= count:
        return None
    return int(numbers[-1]) - 1


if __name__ == "__main__":
    main(LanguageModel)
