"""Asks a language model over an OpenAI-compatible address: the view and the legal actions go into the prompt.

The model, the address and the budget are options. Whatever the model answers, the bot plays a legal action: a random
one if the answer is not legal or too late, or the budget is used up.

A contained bot has no network. Run it with ``--sandbox none``, and give it time:

    botyard match scotland-yard "python3 language_model.py" random --sandbox none --move-time 30000 \\
        --option language_model:url=http://127.0.0.1:8080/v1 --option language_model:model=NAME

The key, if the address needs one, is read from the file that the option ``key-file`` names.
"""

import json
import queue
import re
import threading
import time
import urllib.error
import urllib.request
from typing import Any, List, Optional

from botyard import Bot, FloatOption, Game, IntOption, TextOption, Turn, main

SYSTEM = (
    "You play a board game. You get the rules, what you see, and the numbered legal actions, as JSON. "
    "Answer with the number of the action that you choose, and nothing else."
)


class LanguageModel(Bot[Any, Any]):
    name = "language-model"
    answer_on_error = True
    url = TextOption("http://127.0.0.1:8080/v1", about="base address of the API")
    model = TextOption("default", about="name of the model")
    key_file = TextOption("", name="key-file", about="file with the key of the API")
    requests = IntOption(200, min=0, max=100_000, about="most requests in a game")
    seconds = FloatOption(600.0, min=0.0, max=86_400.0, about="most seconds of waiting in a game")
    retries = IntOption(1, min=0, max=10, about="further requests after an answer that is no action")

    def start(self, game: Game) -> None:
        self.left_requests = self.requests
        self.left_seconds = self.seconds
        self.key = ""
        if self.key_file:
            with open(self.key_file, encoding="utf-8") as file:
                self.key = file.read().strip()

    def choose(self, turn: Turn[Any, Any]) -> Any:
        actions = turn.legal_actions()
        if len(actions) == 1:
            return actions[0]
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": self.prompt(turn, actions)}]
        for attempt in range(self.retries + 1):
            # One second is reserved for the answer.
            timeout = min(turn.time_left() - 1.0, self.left_seconds)
            if self.left_requests <= 0 or timeout < 0.5:
                turn.info(text="budget used up; a random action")
                break
            began = time.monotonic()
            try:
                text = self.ask(messages, timeout)
            except Exception as error:
                turn.log(f"request failed: {error}")
                continue
            finally:
                self.left_requests -= 1
                self.left_seconds -= time.monotonic() - began
            number = chosen(text, len(actions))
            if number is not None:
                turn.info(text=text[:200], attempts=attempt + 1)
                return actions[number]
            turn.log(f"no action in the answer: {text[:200]}")
            messages += [
                {"role": "assistant", "content": text},
                {"role": "user", "content": f"Expected a number from 1 to {len(actions)} and nothing else."},
            ]
        return turn.random.choice(actions)

    def prompt(self, turn: Turn[Any, Any], actions: List[Any]) -> str:
        """Returns the question: rules, view and numbered actions."""
        numbered = "\n".join(f"{number}. {json.dumps(action)}" for number, action in enumerate(actions, 1))
        return (
            f"Game: {turn.game.name}\nRules: {json.dumps(turn.game.rules)}\nYour seat: {turn.seat}\n"
            f"What you see: {json.dumps(turn.view)}\nLegal actions:\n{numbered}\nNumber of your action:"
        )

    def ask(self, messages: List[Any], timeout: float) -> str:
        """Returns the model's answer. Raises ``OSError`` and others if there is none in time."""
        body = {"model": self.model, "messages": messages, "max_tokens": 1000, "temperature": 0}
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
        return str(answer["choices"][0]["message"]["content"])


def chosen(text: str, count: int) -> Optional[int]:
    """Returns the index of the action that an answer names: its last number, if that is one of the list."""
    numbers = re.findall(r"(?<![\w.-])\d+(?![\w-])", text)
    if not numbers or not 1 <= int(numbers[-1]) <= count:
        return None
    return int(numbers[-1]) - 1


if __name__ == "__main__":
    main(LanguageModel)
