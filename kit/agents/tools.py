"""The tools of the home agent: files of the workspace, and a question to the run's own model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from kit.agent.protocol import Workspace
from kit.agent.tool import tool
from kit.agents.policy import Effect

MAX_READ = 12_000
"""Characters of a file that a model with a small context gets; what is left out is said."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What the model is told of a tool, and what the policy needs; every parameter is a required string.

    Attributes:
        name: as the model calls it.
        description: for the model.
        parameters: description by parameter.
        effect: what it does to the world.
    """

    name: str
    description: str
    parameters: dict[str, str]
    effect: Effect

    def schema(self) -> dict[str, Any]:
        """The tool as chat completions want it."""
        properties = {name: {"type": "string", "description": text} for name, text in self.parameters.items()}
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": {"type": "object", "properties": properties, "required": list(properties)},
            },
        }


SPECS: dict[str, ToolSpec] = {
    spec.name: spec
    for spec in (
        ToolSpec("fs_read", "Read a text file and return its content", {"path": "path of the file"}, "read"),
        ToolSpec("fs_list", "List the names in a folder", {"path": "path of the folder"}, "read"),
        ToolSpec(
            "fs_write",
            "Write a text file, replacing what it held",
            {"path": "path of the file", "content": "the whole new content"},
            "write",
        ),
        ToolSpec(
            "supra_llm", "Ask a language model a question", {"prompt": "the whole question"}, "ask_model"
        ),
    )
}


def file_tools(workspace: Workspace) -> dict[str, Callable[..., str]]:
    """The file tools on one workspace; replay runs them again and compares (`replay="execute"`).

    Their errors name the path as it was given, never a path of this machine.
    """

    def fs_read(path: str) -> str:
        with _speaking_of(path):
            text = workspace.resolve(path).read_bytes().decode("utf-8")
        left_out = len(text) - MAX_READ
        return text if left_out <= 0 else f"{text[:MAX_READ]}\n[{left_out} more characters are left out]"

    def fs_list(path: str) -> str:
        with _speaking_of(path):
            entries = sorted(workspace.resolve(path).iterdir())
            names = [f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries]
        return "\n".join(names) or "(empty)"

    def fs_write(path: str, content: str) -> str:
        with _speaking_of(path):
            real = workspace.resolve(path)
            real.parent.mkdir(parents=True, exist_ok=True)
            real.write_bytes(content.encode("utf-8"))
        return f"wrote {len(content)} characters to {path}"

    return {function.__name__: tool(function, replay="execute") for function in (fs_read, fs_list, fs_write)}


def model_tool(ask: Callable[[str], Awaitable[str]]) -> dict[str, Callable[..., Awaitable[str]]]:
    """`supra_llm` on the run's own model: the call is a step of its own; replay serves its traffic."""

    async def supra_llm(prompt: str) -> str:
        return await ask(prompt)

    return {"supra_llm": tool(supra_llm, replay="execute")}


@contextmanager
def _speaking_of(path: str) -> Iterator[None]:
    """Turn an error of the file system into one that names `path` only."""
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
