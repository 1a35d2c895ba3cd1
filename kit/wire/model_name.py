"""Whether the model that answered is the one that was asked for (decision 7)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_MONTH = r"(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12][0-9]|3[01])"
_YEAR = r"20[2-9][0-9]"
_DATE = re.compile(
    rf"(?:-{_YEAR}-{_MONTH}(?:-{_DAY})?|-{_YEAR}{_MONTH}{_DAY}|-{_MONTH}-{_YEAR}"
    rf"|-{_MONTH}{_DAY}|-2[3-9]{_MONTH}|(?<=preview)-{_MONTH}-{_DAY}|-00[1-9])\Z"
)
"""`-2024-08-06`, `-20250929`, `-08-2024`, `-0613` (month, day), `-2411` (year, month), `-001`; not `-4-5`."""
_LATEST = ("-latest", ":latest", "@latest", "@default")
_BEDROCK = re.compile(
    r"\A(?:(?:us-gov|us|eu|apac|au|jp|ca|sa|global)\.)?"
    r"(?:anthropic|amazon|meta|mistral|cohere|ai21|deepseek|openai|qwen|google|nvidia|moonshotai|moonshot"
    r"|minimax|zai|writer)\.(?=[a-z])"
)
"""Region and vendor in front of a model's name."""
_BEDROCK_VERSION = re.compile(r"(?:-v\d+(?::\d+)?|-\d+:\d+)\Z")
_ROUTE = re.compile(
    r":(?:free|nitro|floor|online|extended|exacto|beta|fastest|cheapest|preferred|cerebras|cohere|fal-ai"
    r"|fireworks-ai|groq|hf-inference|hyperbolic|nebius|novita|nscale|replicate|sambanova|together)\Z"
)
"""Which way a router takes (OpenRouter, Hugging Face); Ollama's `:20b` is another thing."""
_VERTEX_DATE = re.compile(r"@(?=\d{8}\Z)")
_WORD = re.compile(r"[^-._ ]+")


def is_same_model(asked: str, answered: str, aliases: Mapping[str, Collection[str]] | None = None) -> bool:
    """Whether an answer as `answered` honours a request for `asked`.

    Equal after removing a provider prefix (`openai/`, `us.anthropic.`), a date suffix or `-latest`; else by
    declared alias. Case does not count, nor the order of a name's words (OpenRouter: `claude-4.5-sonnet`).
    Two different dates or two different providers are two models; so are `gpt-4o` and `gpt-4o-mini`.

    Args:
        asked: the tag in the request.
        answered: the tag in the answer.
        aliases: model asked → names under which it may answer (`[tool.kit.aliases]`).
    """
    if asked == answered or answered in (aliases or {}).get(asked, ()):
        return True
    asked_base, asked_suffix = _split_suffix(asked.casefold())
    answered_base, answered_suffix = _split_suffix(answered.casefold())
    if asked_suffix and answered_suffix and asked_suffix != answered_suffix:
        return False
    return _is_same_path(asked_base.split("/"), answered_base.split("/"))


def base_name(model: str) -> str:
    """A tag without provider prefix, date suffix and `-latest`: what a price table knows a model by."""
    return _split_suffix(model)[0].rpartition("/")[2]


def _split_suffix(model: str) -> tuple[str, str]:
    """A tag and its date, empty where it has none; `latest` is no date."""
    model = _ROUTE.sub("", _plain(model))
    for latest in _LATEST:
        model = model.removesuffix(latest)
    model = _VERTEX_DATE.sub("-", model)
    found = _DATE.search(model)
    return (model[: found.start()], found.group()) if found else (model, "")


def _plain(model: str) -> str:
    """A name without what Bedrock puts around it; the versions of Titan are models of their own."""
    prefix, slash, name = model.rpartition("/")
    found = _BEDROCK.match(name)
    if found is None:
        return model
    name = name[found.end() :]
    name = name if name.startswith("titan") else _BEDROCK_VERSION.sub("", name)
    return name if "arn:" in prefix else prefix + slash + name


def _is_same_path(one: list[str], other: list[str]) -> bool:
    """Whether one name is the other with more of a prefix in front."""
    shared = min(len(one), len(other))
    if not one[-1] or not other[-1] or one[-shared:-1] != other[-shared:-1]:
        return False
    return one[-1] == other[-1] or _words(one[-1]) == _words(other[-1])


def _words(name: str) -> tuple[list[str], list[str]]:
    """The words of a name in no order, and its numbers in theirs."""
    words = _WORD.findall(name)
    return sorted(words), [word for word in words if word[0].isdigit()]
