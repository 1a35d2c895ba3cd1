"""Errors of the file system in the agent's own words: they name a path as it was given, never a real one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kit.agent.protocol import Workspace

MAX_TEXT = 12_000
"""Characters of a result that a model with a small context gets; what is left out is said."""


@contextmanager
def speaking_of(path: str) -> Iterator[None]:
    """Turn an error of the file system inside the block into one that names `path` only."""
    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError(f"not found: {path}") from None
    except IsADirectoryError:
        raise IsADirectoryError(f"is a folder: {path}") from None
    except (NotADirectoryError, FileExistsError):
        raise NotADirectoryError(f"not a folder: {path}") from None
    except PermissionError:
        raise PermissionError(f"not permitted: {path}") from None
    except UnicodeError:
        raise ValueError(f"not a text file: {path}") from None
    except OSError as exc:
        raise OSError(f"failed on {path}: {exc.strerror or type(exc).__name__}") from None
    except ValueError:
        raise ValueError(f"not a path: {path!r}") from None


def shortened(text: str) -> str:
    """The text, cut where a small model could not hold it, with a word about what is missing."""
    left_out = len(text) - MAX_TEXT
    return text if left_out <= 0 else f"{text[:MAX_TEXT]}\n[{left_out} more characters are left out]"


def as_the_agent_sees(text: str, workspace: Workspace) -> str:
    """The text with the real path of the workspace taken out."""
    roots = {str(workspace.root), str(workspace.root.resolve())}
    for root in sorted(roots, key=len, reverse=True):
        text = text.replace(f"{root}/", "/").replace(root, "/")
    return text
