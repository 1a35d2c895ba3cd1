"""What the home agent remembers: one file a thing, `memory/<key>.md` in its home, run again in replay."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from kit.agent.protocol import Workspace
from kit.agent.tool import tool
from kit.agents.bounds import MEMORY
from kit.agents.speaking import speaking_of

_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_SHORTEST_WORD = 3


class Memory:
    """The memory of one turn; it knows what the turn's searches have shown."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._shown: set[str] = set()

    def tools(self) -> dict[str, Callable[..., str]]:
        """The memory tools; replay runs them again and compares."""

        def memory_search(query: str) -> str:
            return self.search(query)

        def memory_write(key: str, text: str) -> str:
            return self.write(key, text)

        def memory_delete(key: str) -> str:
            return self.delete(key)

        functions = (memory_search, memory_write, memory_delete)
        return {function.__name__: tool(function, replay="execute") for function in functions}

    def why_not_delete(self, key: str) -> str:
        """Why a key may not be deleted yet, in words for the model: no search of this turn has shown it."""
        return "" if key in self._shown else f"search first: no memory_search of this turn has shown {key!r}"

    def search(self, query: str) -> str:
        """The entries that hold a word of the query, best first; all of them for an empty query."""
        words = {word for word in re.findall(r"\w+", _plain(query)) if len(word) >= _SHORTEST_WORD}
        entries = self._entries()
        hits = {key: sum(word in _plain(f"{key} {text}") for word in words) for key, text in entries.items()}
        found = sorted((key for key in entries if hits[key] or not query.strip()), key=lambda key: -hits[key])
        self._shown.update(found)
        if not found:
            return f"(nothing found; the keys are: {', '.join(entries) or 'none'})"
        return "\n".join(f"{key}: {entries[key].strip()}" for key in found)

    def write(self, key: str, text: str) -> str:
        """Remember `text` under `key`.

        Raises:
            ValueError: the key is none.
        """
        path = self._path(key)
        with speaking_of(f"memory of {key}"):
            file = self._workspace.resolve(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8"))
        return f"remembered under {key}"

    def delete(self, key: str) -> str:
        """Forget `key`.

        Raises:
            ValueError: the key is none.
            PermissionError: no search of this turn has shown it.
            FileNotFoundError: nothing is remembered under it.
        """
        path = self._path(key)
        if reason := self.why_not_delete(key):
            raise PermissionError(reason)
        with speaking_of(f"memory of {key}"):
            self._workspace.resolve(path).unlink()
        self._shown.discard(key)
        return f"forgot {key}"

    def _entries(self) -> dict[str, str]:
        with speaking_of(MEMORY):
            folder = self._workspace.resolve(f"{self._workspace.home}/{MEMORY}")
            files = sorted(folder.glob("*.md")) if folder.is_dir() else []
            return {
                file.stem: file.read_bytes().decode("utf-8", "replace")
                for file in files
                if file.is_file() and not file.is_symlink()
            }

    def _path(self, key: str) -> str:
        if not _KEY.fullmatch(key):
            raise ValueError(f"{key!r} is no key: letters, digits, `-` and `_`, no spaces")
        return f"{self._workspace.home}/{MEMORY}/{key}.md"


def _plain(text: str) -> str:
    """Lower case without accents: people type `caffe` and `caffè`."""
    letters = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
