"""A conversation with a language model, over the HTTP protocol that OpenAI and most model servers have.

MODEL_URL, MODEL_KEY and MODEL choose the model, and the terminal plays the person: python3 chat.py"""
import json
import logging
import os
import sys
import urllib.request
from typing import NamedTuple, Optional, Protocol

from parley_worker import Worker


class Person(Protocol):
    """The person: your speech recognition and synthesis, or a chat."""

    def hears(self, text: str) -> None:
        """Speaks, or shows, a part of an answer as soon as it is there."""

    def says(self, call) -> Optional[str]:
        """What the person says next; None when the person has gone."""


class Model(NamedTuple):
    url: str  # such as https://api.openai.com/v1
    key: str
    name: str


def chat(call, person: Person, model: Model):
    """Conducts one call. After a hang-up by a client it returns nothing, which the library reports as cancelled."""
    messages = [{"role": "system", "content": call.start["agent"]["prompt"]}]

    def answered(text):
        messages.append({"role": "assistant", "content": text})
        call.turn("agent", text)

    call.connected()
    if call.start["greeting"]:
        person.hears(call.start["greeting"])
        answered(call.start["greeting"])
    while not call.interrupted:
        text = person.says(call)
        if text is None:
            return {"reason": "user_hangup", "summary": f"{len(messages) - 1} messages."}
        messages.append({"role": "user", "content": text})
        call.turn("user", text)
        answer = ""
        for part in stream(call, model, messages):
            answer += part
            person.hears(part)
        answered(answer)
    return None


def stream(call, model, messages):
    """The parts of the model's answer. A hang-up ends the request at its next part."""
    limits = call.start["agent"].get("llmConfig", {})
    body = {"model": model.name, "messages": messages, "stream": True}
    for name, field in (("temperature", "temperature"), ("max_tokens", "maxTokens")):
        if field in limits:
            body[name] = limits[field]
    headers = {"content-type": "application/json", "authorization": f"Bearer {model.key}"}
    request = urllib.request.Request(f"{model.url}/chat/completions", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        for line in response:
            if call.interrupted:
                return
            if not line.startswith(b"data:"):
                continue
            data = line[len(b"data:"):].strip()
            if data == b"[DONE]":
                return
            choices = json.loads(data).get("choices") or [{}]
            content = choices[0].get("delta", {}).get("content")
            if content:
                yield content


class Terminal:
    def hears(self, text):
        print(text, end="", flush=True)

    def says(self, call):
        print("\n> ", end="", flush=True)
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    env = os.environ.get
    model = Model(env("MODEL_URL", "https://api.openai.com/v1"), env("MODEL_KEY", ""), env("MODEL", "gpt-4o-mini"))
    worker = Worker(name="chat.py", handle_signals=True)
    worker.call(lambda call: chat(call, Terminal(), model))
    worker.run()
