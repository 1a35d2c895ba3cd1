"""Agents of frameworks, whose tools cross by `kit.record_tools`, and clients of MCP over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import kit
from tests.clients.callers.caller import KEY, OPENED, PLAIN, Caller, Say, SayLater, station
from tests.clients.provider.mind import cities_in
from tests.clients.stage import Stage

_MODEL = "gpt-5-mini"


def _pydantic_agent(stage: Stage, *, over_mcp: bool) -> Any:
    import pydantic_ai
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider: Any = OpenAIProvider(base_url=f"{stage.provider.url}/v1", api_key=KEY)
    tools: dict[str, Any] = {"tools": [station(stage)]}
    if over_mcp:
        from pydantic_ai.mcp import MCPToolset

        tools = {"toolsets": [MCPToolset(f"{stage.provider.url}/mcp")]}
    made: Any = pydantic_ai.Agent
    return kit.record_tools(made(OpenAIChatModel(_MODEL, provider=provider), **tools))


def _pydantic_ai(stage: Stage, is_stream: bool, *, over_mcp: bool = False) -> Say:
    """An agent for each question: its client belongs to the loop that it makes."""

    def say(question: str) -> str:
        agent = _pydantic_agent(stage, over_mcp=over_mcp)
        if is_stream:
            return str(agent.run_stream_sync(question).get_output())
        return str(agent.run_sync(question).output)

    return say


@asynccontextmanager
async def _pydantic_ai_async(
    stage: Stage, is_stream: bool, *, over_mcp: bool = False
) -> AsyncIterator[SayLater]:
    agent = _pydantic_agent(stage, over_mcp=over_mcp)

    async def say(question: str) -> str:
        if not is_stream:
            return str((await agent.run(question)).output)
        async with agent.run_stream(question) as streamed:
            return str(await streamed.get_output())

    async with agent:
        yield say


def _langchain_model(stage: Stage) -> tuple[Any, Any]:
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI

    made: Any = ChatOpenAI
    model = made(model=_MODEL, base_url=f"{stage.provider.url}/v1", api_key=KEY)
    return model, kit.record_tools(tool(station(stage)))


def _langchain(stage: Stage, is_stream: bool) -> Say:
    model, weather = _langchain_model(stage)
    bound = model.bind_tools([weather])

    def say(question: str) -> str:
        messages: list[Any] = [("user", question)]
        while True:
            if is_stream:
                first, *parts = bound.stream(messages)
                answer = sum(parts, first)
            else:
                answer = bound.invoke(messages)
            messages.append(answer)
            if not answer.tool_calls:
                return str(answer.text)
            messages += [weather.invoke(call) for call in answer.tool_calls]

    return say


@asynccontextmanager
async def _langchain_async(stage: Stage, is_stream: bool) -> AsyncIterator[SayLater]:
    model, weather = _langchain_model(stage)
    bound = model.bind_tools([weather])

    async def say(question: str) -> str:
        messages: list[Any] = [("user", question)]
        while True:
            if is_stream:
                first, *parts = [part async for part in bound.astream(messages)]
                answer = sum(parts, first)
            else:
                answer = await bound.ainvoke(messages)
            messages.append(answer)
            if not answer.tool_calls:
                return str(answer.text)
            messages += [await weather.ainvoke(call) for call in answer.tool_calls]

    yield say


def _graph(stage: Stage) -> Any:
    """Model and tools in a circle, as every agent of LangGraph has them."""
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode, tools_condition

    model, weather = _langchain_model(stage)
    bound = model.bind_tools([weather])

    def ask(state: Any) -> Any:
        return {"messages": [bound.invoke(state["messages"])]}

    async def ask_later(state: Any) -> Any:
        return {"messages": [await bound.ainvoke(state["messages"])]}

    from langchain_core.runnables import RunnableLambda

    graph: Any = StateGraph(MessagesState)
    graph.add_node("model", RunnableLambda(ask, ask_later))
    graph.add_node("tools", ToolNode([weather]))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile()


def _asked(question: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": question}]}


def _langgraph(stage: Stage, is_stream: bool) -> Say:
    graph = _graph(stage)

    def say(question: str) -> str:
        if not is_stream:
            return str(graph.invoke(_asked(question))["messages"][-1].text)
        parts = [part for part, _ in graph.stream(_asked(question), stream_mode="messages")]
        return _last_said(parts)

    return say


@asynccontextmanager
async def _langgraph_async(stage: Stage, is_stream: bool) -> AsyncIterator[SayLater]:
    graph = _graph(stage)

    async def say(question: str) -> str:
        if not is_stream:
            return str((await graph.ainvoke(_asked(question)))["messages"][-1].text)
        parts = [part async for part, _ in graph.astream(_asked(question), stream_mode="messages")]
        return _last_said(parts)

    yield say


def _last_said(parts: list[Any]) -> str:
    """The text behind the last answer of a tool."""
    last = max(index for index, part in enumerate(parts) if part.type == "tool")
    return "".join(str(part.text) for part in parts[last + 1 :])


def _openai_agent(stage: Stage, api: str, **more: Any) -> Any:
    import agents
    import openai

    client: Any = openai.AsyncOpenAI(base_url=f"{stage.provider.url}/v1", api_key=KEY)
    kind: Any = agents.OpenAIResponsesModel if api == "responses" else agents.OpenAIChatCompletionsModel
    made: Any = agents.Agent
    agent = made(name="Reporter", model=kind(model=_MODEL, openai_client=client), **more)
    return kit.record_tools(agent)


def _openai_agents(stage: Stage, is_stream: bool, *, api: str) -> Say:
    """A client belongs to one loop, and `run_sync` makes one in each thread."""
    import agents

    del is_stream  # `run_sync` does not stream

    def say(question: str) -> str:
        agent = _openai_agent(stage, api, tools=[agents.function_tool(station(stage))])
        return str(agents.Runner.run_sync(agent, question).final_output)

    return say


async def _run(agent: Any, question: str, is_stream: bool) -> str:
    import agents

    if not is_stream:
        return str((await agents.Runner.run(agent, question)).final_output)
    streamed = agents.Runner.run_streamed(agent, question)
    async for _ in streamed.stream_events():
        pass
    return str(streamed.final_output)


@asynccontextmanager
async def _openai_agents_async(stage: Stage, is_stream: bool, *, api: str) -> AsyncIterator[SayLater]:
    import agents

    agent = _openai_agent(stage, api, tools=[agents.function_tool(station(stage))])
    yield lambda question: _run(agent, question, is_stream)


@asynccontextmanager
async def _openai_agents_mcp(stage: Stage, is_stream: bool) -> AsyncIterator[SayLater]:
    """A session for each question: in a shared one the numbers of messages go by arrival."""
    from agents.mcp import MCPServerStreamableHttp

    made: Any = MCPServerStreamableHttp

    async def say(question: str) -> str:
        async with made(params={"url": f"{stage.provider.url}/mcp"}) as server:
            return await _run(_openai_agent(stage, "chat", mcp_servers=[server]), question, is_stream)

    yield say


@asynccontextmanager
async def _mcp(stage: Stage, is_stream: bool) -> AsyncIterator[SayLater]:
    """The tool in both cities, without a model."""
    import mcp

    made: Any = mcp.Client
    del is_stream

    async def say(question: str) -> str:
        async with made(f"{stage.provider.url}/mcp") as client:
            kit.record_tools(client)
            told = [await client.call_tool("weather", {"city": city}) for city in cities_in(question)]
            return f"{question}: {' / '.join(one.content[0].text for one in told)}"

    yield say


CALLERS = {
    "pydantic_ai": Caller(_pydantic_ai, _pydantic_ai_async, hides_in=(*PLAIN, *OPENED)),
    "pydantic_ai-mcp": Caller(
        partial(_pydantic_ai, over_mcp=True),
        partial(_pydantic_ai_async, over_mcp=True),
        hides_in=(*PLAIN, *OPENED),
    ),
    "langchain": Caller(_langchain),
    "langchain-async": Caller(opened=_langchain_async, has_loops=False),
    "langgraph": Caller(_langgraph, _langgraph_async, hides_in=PLAIN, has_loops=False),
    "agents-chat": Caller(opened=partial(_openai_agents_async, api="chat")),
    "agents-responses": Caller(opened=partial(_openai_agents_async, api="responses")),
    "agents-chat-sync": Caller(partial(_openai_agents, api="chat"), streams=False),
    "agents-responses-sync": Caller(partial(_openai_agents, api="responses"), streams=False),
    "agents-mcp": Caller(opened=_openai_agents_mcp, hides_in=(*PLAIN, *OPENED)),
    "mcp": Caller(opened=_mcp, streams=False, hides_in=(*PLAIN, *OPENED)),
}
