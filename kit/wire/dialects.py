"""The list of dialects: explicit, a new one is one module and one line here."""

from __future__ import annotations

import re

from kit.wire.anthropic import ANTHROPIC
from kit.wire.bedrock import CONVERSE, INVOKE
from kit.wire.by_address import ByAddress
from kit.wire.by_form import BY_FORM
from kit.wire.cohere import COHERE
from kit.wire.decisions import DECISIONS
from kit.wire.dialect import Dialect
from kit.wire.embedding import Measuring
from kit.wire.gemini import GEMINI
from kit.wire.mcp import MCP
from kit.wire.mistral_conversations import MISTRAL_CONVERSATIONS
from kit.wire.ollama import OLLAMA
from kit.wire.openai_chat import OPENAI_CHAT
from kit.wire.plain_text import PLAIN_TEXT
from kit.wire.responses import RESPONSES

_ANY = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"})
_GET = frozenset({"GET", "HEAD"})
_API = r"/(?:v1|v1beta\d?|v1alpha\d?|openai|anthropic)/(?:projects/[^/]+/locations/[^/]+/)?"
"""What stands before a provider's resources: files of others (`/drive/v3/files`) are not taken for them."""

_EMBED = re.compile(
    r"/(?:[a-z]*embeddings|embed|pipeline/feature-extraction)\Z|/inference:embed\Z"
    r"|:(?:embedContent|batchEmbedContents)\Z|embed[^/]*:predict\Z"
)
_INVOKE = re.compile(r"/model/(.+)/invoke\Z")
_EMBEDS = (b'"normalize"', b'"embeddingTypes"', b'"embedding_types"', b"_EMBEDDING", b'"input_type"')
"""Fields of a request that only an embedding has; an ARN for a model does not say what it does."""
_RERANK = re.compile(r"/rerank\Z|:rank\Z|/model/.*rerank.*/invoke\Z")
_MODERATE = re.compile(r"/moderations\Z|/guardrail/[^/]+/version/[^/]+/apply\Z")


def _embeds(path: str, body: bytes) -> bool:
    if _EMBED.search(path):
        return True
    model = _INVOKE.search(path)
    if model is None:
        return False
    return "embed" in model.group(1) or "marengo" in model.group(1) or any(sign in body for sign in _EMBEDS)


def _by_address(name: str, kind: str, path: str, methods: frozenset[str] = frozenset({"POST"})) -> ByAddress:
    return ByAddress(name, kind, re.compile(path), methods)  # type: ignore[arg-type]


DIALECTS: tuple[Dialect, ...] = (
    OPENAI_CHAT,
    RESPONSES,
    ANTHROPIC,
    GEMINI,
    CONVERSE,
    DECISIONS,
    Measuring("rerank", "rerank", lambda path, _: _RERANK.search(path) is not None),
    Measuring("embeddings", "embedding", _embeds),
    Measuring("moderations", "moderation", lambda path, _: _MODERATE.search(path) is not None),
    INVOKE,
    COHERE,
    OLLAMA,
    PLAIN_TEXT,
    MISTRAL_CONVERSATIONS,
    _by_address(
        "count_tokens",
        "count",
        r"/messages/count_tokens\Z|/count-tokens(?::rawPredict)?\Z|/input_tokens\Z|/(?:de)?tokenize\Z"
        r"|:(?:countTokens|computeTokens)\Z",
    ),
    _by_address(
        "batches",
        "batch",
        rf"/messages/batches(?:/|\Z)|{_API}batch(?:es|PredictionJobs)(?:/|\Z)"
        r"|:(?:batchGenerateContent|asyncBatchEmbedContent)\Z",
        _ANY,
    ),
    _by_address(
        "media",
        "media",
        r"/images/(?:generations|edits|variations)\Z|/audio/(?:speech|transcriptions|translations)\Z"
        r"|/videos\Z|/(?:text-to-speech|sound-generation|speech-to-text)(?:/|\Z)"
        r"|/models/[^/]+:predict(?:LongRunning)?\Z",
    ),
    _by_address(
        "realtime",
        "realtime",
        r"/realtime/[a-z_]+|/live/(?:calls|client_secrets)(?:/|\Z)|/auth_?[tT]okens\Z",
    ),
    _by_address("voice_agents", "realtime", r"/v1/convai/", _ANY),
    _by_address("assistants", "files", r"/(?:v1|openai)/(?:assistants|threads)(?:/|\Z)", _ANY),
    _by_address("stored_responses", "files", r"/responses/[^/]+(?:/(?:cancel|input_items))?\Z", _ANY),
    _by_address(
        "files",
        "files",
        _API + r"(?:files|uploads|containers|vector_stores|conversations|skills"
        r"|cachedContents|fileSearchStores|ragCorpora|corpora)(?:[/:]|\Z)",
        _ANY,
    ),
    _by_address(
        "models",
        "catalogue",
        r"/v1\w*/(?:projects/.+/)?models(?:/|\Z)|/openai/models(?:/|\Z)|/api/(?:tags|ps|version)\Z"
        r"|/api/models(?:/|\Z)|/(?:foundation-models|foundation_model_specs|inference-profiles)(?:/|\Z)"
        r"|/available-models\Z",
        _GET,
    ),
    _by_address("model_details", "catalogue", r"/api/show\Z"),
    MCP,
    BY_FORM,
)
"""Asked in this order; the first that recognises a request reads it."""
