"""The file tools of the home agent, and its question to the run's own model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from kit.agent.protocol import Workspace
from kit.agent.tool import tool
from kit.agents.speaking import shortened, speaking_of


def file_tools(workspace: Workspace) -> dict[str, Callable[..., str]]:
    """The file tools on one workspace; replay runs them again and compares (`replay="execute"`).

    Their errors name the path as it was given, never a path of this machine.
    """

    def fs_read(path: str) -> str:
        with speaking_of(path):
            return shortened(workspace.resolve(path).read_bytes().decode("utf-8"))

    def fs_list(path: str) -> str:
        with speaking_of(path):
            entries = sorted(workspace.resolve(path).iterdir())
            names = [f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries]
        return "\n".join(names) or "(empty)"

    def fs_write(path: str, content: str) -> str:
        with speaking_of(path):
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
