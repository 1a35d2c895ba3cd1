"""What a newcomer writes, recorded by `kit record -- python …`, and a test with the marker."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.conftest import FAKE_KEY
from tests.clients.provider.server import Provider

ROOT = Path(__file__).resolve().parents[2]
KIT = (sys.executable, "-c", "from kit.cli.main import main; main()")
PAGE = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
SCRIPTS = dict(re.findall(r"<!-- script: (\S+) -->\n```python\n(.*?)```", PAGE, re.DOTALL))
PROGRAMS = {
    "openai": """
from openai import OpenAI
client = OpenAI()
for text in ("hello", "busy once"):
    answer = client.chat.completions.create(model="gpt-5-mini", messages=[{"role": "user", "content": text}])
    print(answer.choices[0].message.content)
print(client.responses.create(model="gpt-5-mini", input="hello").output_text)
""",
    "anthropic": """
import anthropic
given = {"model": "claude-sonnet-5", "max_tokens": 99, "messages": [{"role": "user", "content": "a b"}]}
with anthropic.Anthropic().messages.stream(**given) as stream:
    for text in stream.text_stream:
        print(text, end="|")
""",
    "ollama": """
import ollama
for part in ollama.chat(model="qwen3:8b", messages=[{"role": "user", "content": "a b"}], stream=True):
    print(part.message.content, end="|")
""",
    "google": """
from google import genai
client = genai.Client()
print(client.models.generate_content(model="gemini-2.5-flash", contents="hello").text)
""",
    "boto3": """
import boto3
client = boto3.client("bedrock-runtime")
messages = [{"role": "user", "content": [{"text": "hello"}]}]
answer = client.converse(modelId="anthropic.claude-x", messages=messages)
print(answer["output"]["message"]["content"][0]["text"])
""",
    "litellm": """
import litellm
messages = [{"role": "user", "content": "hello"}]
print(litellm.completion(model="openai/gpt-5-mini", messages=messages).choices[0].message.content)
""",
    "requests": """
import os, requests
body = {"model": "gpt-5-mini", "messages": [{"role": "user", "content": "hello"}]}
answer = requests.post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json=body)
print(answer.json()["choices"][0]["message"]["content"])
""",
    "aiohttp": """
import aiohttp, asyncio, os
async def main():
    body = {"model": "gpt-5-mini", "messages": [{"role": "user", "content": "hello"}]}
    async with aiohttp.ClientSession() as session:
        async with session.post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json=body) as answer:
            print((await answer.json())["choices"][0]["message"]["content"])
asyncio.run(main())
""",
    "mcp": """
import asyncio, mcp, os
from openai import OpenAI
async def main():
    async with mcp.Client(os.environ["MCP_URL"]) as client:
        print((await client.call_tool("weather", {"city": "Paris"})).content[0].text)
asyncio.run(main())
print(OpenAI().responses.create(model="gpt-5-mini", input="hello").output_text)
""",
}
MARKED = """
import openai, pytest
@pytest.mark.kit_cassette
def test_hello():
    answer = openai.OpenAI().responses.create(model="gpt-5-mini", input="hello")
    assert answer.output_text == "You said hello to gpt-5-mini"
"""


def _environment(provider: Provider) -> dict[str, str]:
    """What a user sets to point the SDKs elsewhere."""
    url = provider.url
    told = {
        "OPENAI_API_KEY": FAKE_KEY,
        "OPENAI_BASE_URL": f"{url}/v1",
        "ANTHROPIC_BASE_URL": url,
        "OLLAMA_HOST": url,
        "GOOGLE_GEMINI_BASE_URL": url,
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": url,
        "MCP_URL": f"{url}/mcp",
    }
    kept = {name: value for name, value in os.environ.items() if name not in {"CI", "GEMINI_API_KEY"}}
    return kept | told


def _kit(folder: Path, environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty project."""
    pytest.importorskip("litellm", reason="run `make test-clients`")
    (tmp_path / "pyproject.toml").write_text("[tool.kit]\n")
    return tmp_path


@pytest.mark.parametrize("name", [*PROGRAMS, *SCRIPTS])
def test_program(name: str, project: Path, provider: Provider) -> None:
    """Recorded once, it prints the same with no server there, but for what its tools print."""
    (project / "program.py").write_text(PROGRAMS.get(name) or SCRIPTS[name])
    program = ("--", sys.executable, "program.py")
    environment = _environment(provider)
    recorded = _kit(project, environment, *KIT, "record", *program)
    assert recorded.returncode == 0, recorded.stdout + recorded.stderr
    hits = provider.hits
    provider.die()
    replayed = _kit(project, environment, *KIT, "replay", *program)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
    assert provider.hits == hits > 0
    assert "0 live requests" in replayed.stdout
    said = re.findall(r"(?:You|I)\S? ?\S?(?:said|was).*", recorded.stdout)
    assert said == re.findall(r"(?:You|I)\S? ?\S?(?:said|was).*", replayed.stdout) != []
    assert recorded.stdout.count("asking the station") == (2 if name in SCRIPTS else 0)
    assert "asking the station" not in replayed.stdout
    assert FAKE_KEY not in (project / "cassettes/tapes/program.yaml").read_text(encoding="utf-8")


def test_marker(project: Path, provider: Provider) -> None:
    """The same in pytest: `--kit-record=missing` once, then nobody is asked."""
    (project / "test_hello.py").write_text(MARKED)
    pytest_command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_hello.py")
    environment = _environment(provider)
    recorded = _kit(project, environment, *pytest_command, "--kit-record=missing")
    assert recorded.returncode == 0, recorded.stdout + recorded.stderr
    provider.die()
    replayed = _kit(project, environment, *pytest_command)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
    assert provider.hits == 1
