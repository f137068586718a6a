"""Asks a language model over an OpenAI-compatible address: the view and the legal actions go into the prompt.

The model, the address, the parameters of a request and the budget of calls, tokens and seconds are options. Whatever the
model answers, the bot plays a legal action: a random one if the answer is not legal or too late, or the budget is used
up. Every exchange is printed to standard error, as one JSON object per line, without the key, and so is a summary at the
end of a game: the decisions that the model made, and those that a random action replaced, with the reasons.

A contained bot has no network. Run it with ``--sandbox none``, and give it time:

    botyard match scotland-yard "python3 language_model.py" random --sandbox none --move-time 30000 \\
        --option language_model:url=http://127.0.0.1:8080/v1 --option language_model:model=NAME

The key, if the address needs one, is that in the environment variable LANGUAGE_MODEL_KEY. A match passes no variable
of yours to a bot: name a file with the key by the option ``key-file``. docs/do/ask-a-language-model.md says more.
"""

import collections
import json
import math
import os
import queue
import re
import sys
import threading
import time
import urllib.error
import urllib.request
from typing import Any, Counter, Dict, List, NamedTuple, Optional, Pattern

from botyard import Bot, EnumOption, FloatOption, Game, IntOption, Outcome, TextOption, Turn, main

SYSTEM = (
    "You play a board game. You get the rules, what you see, and the numbered legal actions, as JSON. "
    "Answer with the number of the action that you choose, and nothing else."
)
KEY_VARIABLE = "LANGUAGE_MODEL_KEY"
NO_NETWORK = "a contained bot has no network: play with --sandbox none"

#: The server may answer the same request later.
PASSING = {408, 425, 429, 500, 502, 503, 504}

#: The most bytes that are read of an answer and of the body of an HTTP error, and the most characters printed of either.
ANSWER_READ, BODY_READ, BODY_SHOWN = 1 << 24, 65_536, 2_000

#: What to do where a server's refusal names a parameter.
HINTS = {
    "max_completion_tokens": "set the option limit-name=max_completion_tokens",
    "temperature": "set the option temperature=none",
}
NO_REDIRECTS = "redirects are not followed: set the option url to the address of the server itself"


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Makes an error of a redirect: the question and the key are for the server of the option ``url`` alone."""

    def redirect_request(self, *args: Any, **more: Any) -> None:
        return None


OPENER = urllib.request.build_opener(NoRedirects)


class Answer(NamedTuple):
    """What the model answered."""

    text: str
    #: What a thinking model wrote before its answer, where the server sends it.
    thinking: str
    #: Why the answer ends: ``stop``, ``length``, or another word of the server.
    finish: str
    #: The tokens of question and answer.
    tokens: int


class Refused(Exception):
    """An HTTP error. The body says what the server did not like."""

    def __init__(self, status: int, reason: str, headers: Any, body: str) -> None:
        super().__init__(f"HTTP {status} {reason}".rstrip())
        self.status, self.headers, self.body = status, headers, body


class Malformed(Exception):
    """An answer without an error that is not what the API describes, for instance a page of HTML."""

    def __init__(self, problem: str, body: str) -> None:
        super().__init__(problem)
        self.body = body


class LanguageModel(Bot[Any, Any]):
    name = "language-model"
    answer_on_error = True
    url = TextOption("http://127.0.0.1:8080/v1", about="base address of the API")
    model = TextOption("default", about="name of the model")
    key_file = TextOption("", name="key-file", about="file with the key of the API")
    system = TextOption(SYSTEM, about="system message; empty: none")
    limit = IntOption(1000, min=1, max=1_000_000, about="most tokens of an answer, thinking included")
    limit_name = EnumOption(
        "max_tokens",
        values=["max_tokens", "max_completion_tokens", "none"],
        name="limit-name",
        about="parameter of a request that has the limit; none: not sent",
    )
    temperature = TextOption("0", about="temperature, a number; none: not sent")
    parameters = TextOption("{}", about="further parameters of a request, a JSON object")
    requests = IntOption(200, min=0, max=100_000, about="most requests in a game")
    tokens = IntOption(500_000, min=0, max=1_000_000_000, about="most tokens in a game, of questions and answers")
    seconds = FloatOption(600.0, min=0.0, max=86_400.0, about="most seconds of waiting in a game")
    retries = IntOption(1, min=0, max=10, about="further requests after a failure or an answer that is no action")
    backoff = FloatOption(0.5, min=0.0, max=60.0, about="seconds before the first repeat of a failed request; then doubled")

    def start(self, game: Game) -> None:
        self.left_requests = self.requests
        self.left_seconds = self.seconds
        self.left_tokens = self.tokens
        self.answers = 0
        self.replaced: Counter[str] = collections.Counter()
        self.key = self.read_key()
        self.key_pattern = escaped(self.key)
        self.sent = self.read_parameters()

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

    def read_parameters(self) -> Dict[str, Any]:
        """Returns the parameters of every request but the messages and the limit. Exits if an option is wrong."""
        sent: Dict[str, Any] = {"model": self.model}
        if self.temperature != "none":
            try:
                sent["temperature"] = float(self.temperature)
            except ValueError:
                sent["temperature"] = math.nan
            if not math.isfinite(sent["temperature"]):
                sys.exit(f"{self.name}: option temperature: expected a number or none, got {self.temperature!r}")
        try:
            more = json.loads(self.parameters)
        except ValueError as error:
            sys.exit(f"{self.name}: option parameters: expected a JSON object, got {self.parameters!r}: {error}")
        if not isinstance(more, dict):
            sys.exit(f"{self.name}: option parameters: expected a JSON object, got {self.parameters!r}")
        return {**sent, **more}

    def choose(self, turn: Turn[Any, Any]) -> Any:
        actions = turn.legal_actions()
        if len(actions) == 1:
            return actions[0]
        messages = [{"role": "system", "content": self.system}] if self.system else []
        messages.append({"role": "user", "content": self.prompt(turn, actions)})
        why = ""
        for attempt in range(self.retries + 1):
            # One second is reserved for the answer.
            timeout = min(turn.time_left() - 1.0, self.left_seconds)
            used_up = self.used_up(timeout)
            if used_up:
                why = why or used_up
                break
            limit = max(1, min(self.limit, self.left_tokens))
            began, failure = time.monotonic(), None
            answer = Answer("", "", "", 0)
            try:
                answer = self.ask(messages, limit, timeout)
            except Exception as error:
                failure = error
            took = time.monotonic() - began
            self.left_requests -= 1
            self.left_seconds -= took
            self.left_tokens -= answer.tokens
            self.show(turn.number, messages, answer, took, failure)
            if failure is not None:
                why = kind_of(failure)
                turn.log(f"request failed: {self.in_words(failure)}")
                if not is_passing(failure):
                    break
                if attempt < self.retries:
                    self.wait(turn, attempt, failure)
                continue
            if answer.finish == "length":
                # The last number of half an answer is no choice, and the same request would be cut off again.
                why = "answer cut off"
                turn.log(cut_off(answer, limit, self.limit))
                break
            number = chosen(answer.text, len(actions))
            if number is not None:
                self.answers += 1
                turn.info(text=answer.text[:200], attempts=attempt + 1)
                return actions[number]
            why = "no action in the answer"
            turn.log(f"no action in the answer: {answer.text[:200]}{ending(answer.finish)}")
            messages += [
                {"role": "assistant", "content": answer.text},
                {"role": "user", "content": f"Expected a number from 1 to {len(actions)} and nothing else."},
            ]
        self.replaced[why] += 1
        turn.info(text=f"{why}; a random action")
        return turn.random.choice(actions)

    def used_up(self, timeout: float) -> str:
        """Returns what is lacking for another request; nothing if it can be sent."""
        if self.left_requests <= 0:
            return "budget of requests used up"
        if self.left_tokens <= 0:
            return "budget of tokens used up"
        if self.left_seconds < 0.5:
            return "budget of seconds used up"
        return "too little time for a request" if timeout < 0.5 else ""

    def end(self, outcome: Outcome) -> None:
        """Prints the summary of a game."""
        replaced = sum(self.replaced.values())
        reasons = [f"{count} {why}" for why, count in self.replaced.most_common()]
        text = f"the model made {self.answers} of {self.answers + replaced} decisions"
        if replaced:
            text += f", a random action replaced {replaced}: {', '.join(reasons)}"
        summary = {
            "summary": text,
            "answers": self.answers,
            "replaced": replaced,
            "why": dict(self.replaced),
            "requests": self.requests - self.left_requests,
            "tokens": self.tokens - self.left_tokens,
            "seconds": round(self.seconds - self.left_seconds, 3),
        }
        print(json.dumps(summary), file=sys.stderr, flush=True)

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
        seconds = float(asked) if re.fullmatch("[0-9]+", asked) else self.backoff * 2**attempt
        seconds = max(0.0, min(seconds, turn.time_left() - 2.0, self.left_seconds))
        self.left_seconds -= seconds
        time.sleep(seconds)

    def show(
        self, number: int, messages: List[Any], answer: Answer, took: float, failure: Optional[Exception]
    ) -> None:
        """Prints an exchange to standard error."""
        exchange = {"turn": number, "asked": messages[-1]["content"], "answer": answer.text}
        if answer.thinking:
            exchange["thinking"] = answer.thinking
        if answer.finish:
            exchange["finish"] = answer.finish
        exchange.update(tokens=answer.tokens, seconds=round(took, 3))
        if failure is not None:
            exchange["failure"] = self.in_words(failure)
            if isinstance(failure, (Refused, Malformed)):
                exchange["body"] = self.without_key(failure.body)[:BODY_SHOWN]
        print(json.dumps(exchange), file=sys.stderr, flush=True)

    def without_key(self, value: Any) -> Any:
        """Returns a value of JSON with ``KEY`` in the place of the key in all its texts."""
        if isinstance(value, str):
            return self.key_pattern.sub("KEY", value)
        if isinstance(value, list):
            return [self.without_key(item) for item in value]
        if isinstance(value, dict):
            return {self.without_key(name): self.without_key(item) for name, item in value.items()}
        return value

    def body_without_key(self, body: str) -> str:
        """Returns what a server sent without the key, which it or the model may repeat. All that is printed, recorded and
        sent again of an answer comes from here."""
        if not self.key:
            return body
        try:
            return json.dumps(self.without_key(json.loads(body)), ensure_ascii=False)
        except (RecursionError, ValueError):  # No JSON, or only its beginning.
            return str(self.without_key(body))

    def in_words(self, failure: Exception) -> str:
        """Returns what failed, with the first words of the server, and what to do where that is known."""
        if isinstance(failure, Refused):
            said = message_of(failure.body)
            hints = [hint for word, hint in HINTS.items() if failure.status == 400 and word in said]
            hints += [NO_REDIRECTS] if 300 <= failure.status < 400 else []
            text = self.without_key(f"{failure}: {said[:300]}" if said else str(failure))
            return f"{text} ({hints[0]})" if hints else text
        text = self.without_key(f"{type(failure).__name__}: {failure}")
        return f"{text} ({NO_NETWORK})" if isinstance(failure, urllib.error.URLError) else text

    def ask(self, messages: List[Any], limit: int, timeout: float) -> Answer:
        """Returns the model's answer. Raises :class:`Refused`, ``OSError`` and others if there is none in time."""
        body = {**self.sent, "messages": messages}
        if self.limit_name != "none":
            body[self.limit_name] = limit
        request = urllib.request.Request(
            self.url.rstrip("/") + "/chat/completions",
            data=json.dumps(body).encode("utf-8"),
            headers={"Content-Type": "application/json"},
        )
        if self.key:
            request.add_unredirected_header("Authorization", f"Bearer {self.key}")
        # A socket's timeout limits each wait, not the whole answer: a thread can be abandoned.
        answers: "queue.Queue[Any]" = queue.Queue()

        def fetch() -> None:
            try:
                with OPENER.open(request, timeout=timeout) as response:
                    read = response.read(ANSWER_READ + 1)
                body = self.body_without_key(read[:ANSWER_READ].decode("utf-8", "replace"))
                is_long = len(read) > ANSWER_READ
                answers.put(Malformed(f"expected at most {ANSWER_READ} bytes, got more", body) if is_long else body)
            except urllib.error.HTTPError as error:
                with error:
                    body = self.body_without_key(body_of(error))
                    answers.put(Refused(error.code, error.reason, error.headers, body))
            except Exception as error:
                answers.put(error)

        threading.Thread(target=fetch, daemon=True).start()
        try:
            answer = answers.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"no answer after {timeout:.1f} s") from None
        if isinstance(answer, Exception):
            raise answer
        return read_answer(answer, messages)


def read_answer(body: str, messages: List[Any]) -> Answer:
    """Returns the answer in the JSON of a server. Raises :class:`Malformed` where it has another form."""
    try:
        answer = json.loads(body)
        choice = answer["choices"][0]
        message = choice["message"]
        text = message.get("content") or ""
        used = (answer.get("usage") or {}).get("total_tokens")
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise Malformed(f"expected JSON with choices[0].message.content, got another form: {problem}", body) from None
    if not isinstance(text, str):
        raise Malformed(f"expected a text in choices[0].message.content, got {json.dumps(text)[:200]}", body)
    # Servers that send the thinking call it by one of these names.
    thinking = message.get("reasoning_content") or message.get("reasoning") or ""
    thinking = thinking if isinstance(thinking, str) else json.dumps(thinking)
    if not isinstance(used, int) or used < 0:
        # A server that does not count: some four characters are a token.
        used = (len(text) + len(thinking) + sum(len(message["content"]) for message in messages)) // 4
    return Answer(text, thinking, str(choice.get("finish_reason") or ""), used)


def body_of(error: urllib.error.HTTPError) -> str:
    """Returns the body of an HTTP error, or what there is of it."""
    try:
        return error.read(BODY_READ).decode("utf-8", "replace").strip()
    except Exception:
        return ""


def message_of(body: str) -> str:
    """Returns the message in the body of an error: that of its JSON, or else the body."""
    try:
        error = json.loads(body)
        error = error.get("error", error)
        return str(error.get("message") or body) if isinstance(error, dict) else str(error)
    except (AttributeError, RecursionError, ValueError):
        return body


def escaped(key: str) -> Pattern[str]:
    """Returns a pattern of a key, also as JSON may write it or JSON in JSON: ``/`` as ``\\/`` or ``\\u002F``. Of no key it
    matches nothing."""
    letters = (rf"(?:\\{{0,3}}{re.escape(letter)}|\\{{1,3}}u(?i:{ord(letter):04x}))" for letter in key)
    return re.compile("".join(letters) or "(?!)")


def is_passing(failure: Exception) -> bool:
    """Returns whether the same request may succeed later."""
    return not isinstance(failure, Refused) or failure.status in PASSING


def kind_of(failure: Exception) -> str:
    """Returns a failure in few words, for counting."""
    if isinstance(failure, Refused):
        return f"HTTP {failure.status}"
    if isinstance(getattr(failure, "reason", failure), TimeoutError):
        return "no answer in time"
    return "no connection" if isinstance(failure, OSError) else "answer of another form"


def cut_off(answer: Answer, limit: int, option: int) -> str:
    """Returns that an answer was cut off, and what to do."""
    did = "while it answered" if answer.text else "while it was thinking, before it answered"
    do = f"raise the option limit, now {option}" if limit == option else "the budget of tokens is nearly used up"
    return f"the model was cut off after {limit} tokens, {did}: {do}"


def ending(finish: str) -> str:
    """Returns why an answer ends, where that is unusual."""
    return f" (finish_reason {finish})" if finish not in ("", "stop") else ""


def chosen(text: str, count: int) -> Optional[int]:
    """Returns the index of the action that an answer names: its last number, if that is one of the list."""
    numbers = re.findall(r"(?<![\w.-])\d+(?![\w-])", text)
    last = numbers[-1].lstrip("0") if numbers else ""
    # Python does not read a number of thousands of digits.
    number = int(last) if 0 < len(last) <= len(str(count)) else 0
    return number - 1 if 1 <= number <= count else None


if __name__ == "__main__":
    main(LanguageModel)
