"""Secrets never survive, whatever they stand in; everything else stays byte for byte."""

from __future__ import annotations

import base64
import json
import re
import string
import threading
from typing import Any
from urllib.parse import quote, quote_plus, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.redaction.redactor import Redactor
from kit.redaction.rule import parse_rules
from tests.fakes.examples import costly

ALNUM = string.ascii_letters + string.digits
MASK = re.compile(r"<secret-\d+>")


def random_text(alphabet: str, low: int, high: int) -> st.SearchStrategy[str]:
    """Text that no word looks like: a digit and both cases are in it."""
    return st.text(alphabet, min_size=low, max_size=high).map(lambda text: text + "a7Q")


SHAPED = st.one_of(
    st.tuples(
        st.sampled_from(
            ["sk-", "sk-ant-api03-", "sk-proj-", "gsk_", "ghp_", "gho_", "github_pat_", "hf_", "glpat-"]
        ),
        random_text(ALNUM, 20, 40),
    ).map("".join),
    st.tuples(
        st.sampled_from(["xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-"]), random_text(string.digits, 12, 20)
    ).map("".join),
    st.tuples(
        st.sampled_from(["AKIA", "ASIA"]),
        st.text(string.ascii_uppercase + string.digits, min_size=16, max_size=16),
    ).map("".join),
    random_text(ALNUM + "-_", 32, 32).map(lambda text: "AIza" + text),
    st.tuples(random_text(ALNUM, 12, 20), random_text(ALNUM, 12, 30), random_text(ALNUM + "-_", 12, 30)).map(
        lambda parts: "eyJ" + ".".join(parts)
    ),
    random_text(ALNUM + "\n", 30, 60).map(
        lambda text: f"-----BEGIN RSA PRIVATE KEY-----\n{text}\n-----END RSA PRIVATE KEY-----"
    ),
)
"""Secrets known by their look."""

PREFIXES = (
    "sk-",
    "gsk_",
    "gh",
    "github_pat_",
    "hf_",
    "glpat-",
    "xox",
    "AKIA",
    "ASIA",
    "AIza",
    "eyJ",
    "-----",
)

WORD = random_text(ALNUM + "!$*~è", 8, 14)
"""Secrets known by their field only."""

FIELD = st.sampled_from(
    ["authorization", "api_key", "apiKey", "X-API-Key", "password", "passwd", "secret",
     "client_secret", "access_token",
     "refresh_token", "OPENAI_API_KEY", "db_password"]
)  # fmt: skip
CALM = st.text('abcdefgh \n"\\/{}è€😀\u2028', max_size=20)
"""Text in which nothing looks like a secret."""

INNOCENT = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | CALM,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["content", "max_tokens", "usage", "id", "token_count", "model"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


HOLE = "\x00hole"


def holed(value: Any, draw: Any) -> Any:
    """The value with a hole at a random place."""
    if isinstance(value, dict) and value:
        name = draw(st.sampled_from(sorted(value)))
        return {**value, name: holed(value[name], draw)}
    if isinstance(value, list) and value:
        index = draw(st.integers(0, len(value) - 1))
        return [*value[:index], holed(value[index], draw), *value[index + 1 :]]
    return HOLE


def filled(value: Any, item: Any) -> Any:
    """The value with the item in its hole."""
    if isinstance(value, dict):
        return {name: filled(inner, item) for name, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, item) for inner in value]
    return item if value == HOLE else value


def spelled(value: Any, style: int) -> bytes:
    """JSON as one client or another writes it."""
    options: list[dict[str, Any]] = [
        {"ensure_ascii": False, "separators": (",", ":")}, {}, {"indent": 2},
        {"ensure_ascii": False, "separators": (" ,", " : ")},
    ]  # fmt: skip
    text = json.dumps(value, **options[style % 4])
    return (text.replace("/", "\\/") if style >= 4 else text).encode()


def survives(secret: str, text: str) -> bool:
    """True if the secret can be read out of the text, escaped or not."""
    forms = [
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        quote(secret),
        quote_plus(secret),
    ]
    return any(form in text for form in forms)


def hidden(secret: str, draw: Any) -> tuple[Any, Any]:
    """A value that holds the secret as such things do, and what is left of it."""
    if secret.startswith(PREFIXES) and draw(st.booleans()):
        before, after = draw(CALM), draw(CALM)
        return f"{before} {secret} {after}", f"{before} <secret-1> {after}"
    name = draw(FIELD)
    return {name: secret}, {name: "<secret-1>"}


@costly(30)
@given(st.data(), INNOCENT, st.integers(0, 7), SHAPED | WORD)
def test_json_keeps_no_secret_and_loses_nothing_else(data: Any, value: Any, style: int, secret: str) -> None:
    """In JSON of any spelling, also in JSON inside a string, exactly the secret turns into its mask."""
    item, mask = hidden(secret, data.draw)
    for _ in range(data.draw(st.integers(0, 2))):
        item, mask = {"arguments": json.dumps(item)}, {"arguments": json.dumps(mask)}
    frame = holed(value, data.draw)
    body, expected = (spelled(filled(frame, inner), style) for inner in (item, mask))
    shown = Redactor().body(body, "application/json")
    assert not survives(secret, shown.decode())
    assert shown == expected
    assert Redactor().body(shown, "application/json") == shown


@given(INNOCENT, st.integers(0, 7))
def test_innocent_json_is_untouched(value: Any, style: int) -> None:
    """Where no secret is, the very same object comes back."""
    body = spelled(value, style)
    assert Redactor().body(body, "application/json") is body
    assert Redactor().fragment(body) is body


@costly(30)
@given(st.data(), SHAPED | WORD)
def test_streams_keep_no_secret_even_in_pieces(data: Any, secret: str) -> None:
    """A secret cut anywhere over the deltas of a stream is gone from the joined text and from each event."""
    item, mask = hidden(secret, data.draw)
    text, expected = (inner if isinstance(inner, str) else json.dumps(inner) for inner in (item, mask))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    is_call = data.draw(st.booleans())

    def event(piece: str, index: int) -> bytes:
        call = {"index": index, "function": {"arguments": piece}}
        delta = {"tool_calls": [call]} if is_call else {"content": piece}
        choice = {"index": 0 if is_call else index, "delta": delta}
        return b"data: " + json.dumps({"id": "x", "choices": [choice]}).encode() + b"\n\n"

    events = [part for piece in pieces for part in (event(piece, 1), event("other ", 2))]
    shown = Redactor().body(b"".join(events) + b"data: [DONE]\n\n", "text/event-stream; charset=utf-8")
    joined = {1: "", 2: ""}
    for line in shown.decode().splitlines():
        if line.startswith("data: {"):
            assert not survives(secret, line)
            choice = json.loads(line[6:])["choices"][0]
            call = choice["delta"].get("tool_calls", [{"index": choice["index"]}])[0]
            joined[call["index"]] += choice["delta"].get("content", "") or call.get("function", {}).get(
                "arguments", ""
            )
    assert joined == {1: expected, 2: "other " * len(pieces)}
    assert Redactor().stream(shown) == shown


@given(st.data(), SHAPED, CALM, CALM)
def test_prose_keeps_no_secret(data: Any, secret: str, before: str, after: str) -> None:
    """A bare key in prose is masked, and nothing around it."""
    between = data.draw(st.sampled_from([" ", "\n", "(", '"', "=", ": "]))
    shown = Redactor().text(f"{before}{between}{secret} {after}")
    assert shown == f"{before}{between}<secret-1> {after}"
    assert Redactor().body(f"{before} {secret}".encode(), "text/plain") == f"{before} <secret-1>".encode()


@costly(30)
@given(FIELD, SHAPED | WORD, CALM)
def test_forms_and_addresses_keep_no_secret(field: str, secret: str, calm: str) -> None:
    """Percent-encoded secrets in forms and queries are found by field, a password in an address by place."""
    form = urlencode({"text": calm, field: secret, "page": "2"})
    masked = urlencode({"text": calm, field: "<secret-1>", "page": "2"}, safe="<>")
    assert Redactor().body(form.encode(), "application/x-www-form-urlencoded").decode() == masked
    assert Redactor().url(f"https://h.example/a?{form}#top") == f"https://h.example/a?{masked}#top"
    address = f"https://roberto:{quote(secret, safe='')}@h.example/x"
    assert Redactor().url(address) == "https://roberto:<secret-1>@h.example/x"
    assert Redactor().text(f"see {address} or") == "see https://roberto:<secret-1>@h.example/x or"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Authorization: Bearer abcdef123456", "Authorization: Bearer <secret-1>"),
        ("Basic " + base64.b64encode(b"roberto:pass").decode(), "Basic <secret-1>"),
        ("export DB_PASSWORD='tr0ub4dor&3'", "export DB_PASSWORD='<secret-1>&3'"),
        ('config: {"password": "hunter"} end', 'config: {"password": "<secret-1>"} end'),
        ("config: {'client_secret': 'hunter'} end", "config: {'client_secret': '<secret-1>'} end"),
        ("https://ghp_abcdefghij0123456789@github.com/x", "https://<secret-1>@github.com/x"),
        ("https://h/x?key=abc&page=1", "https://h/x?key=<secret-1>&page=1"),
        ("AKIA0123456789ABCDEF/sk-abcdefgh123456", "<secret-1>/<secret-2>"),
        ("-----BEGIN PRIVATE KEY-----\nabc", "<secret-1>"),
    ],
)
def test_secrets_in_prose(text: str, expected: str) -> None:
    """Schemes, environment files, code and addresses inside prose."""
    assert Redactor().text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a basic understanding of bearer certificates",
        "scikit: sk-learn-contrib, locale sk-SK",
        "the password is required; tokens=12 and max_tokens=4096",
        "git@github.com:a/b.git and ssh://git@github.com/a",
        "use hf_hub_download and hf_transformers_version",
        "password=${DB_PASSWORD} api_key=**** token=<your token>",
        "eyJ is how such tokens begin",
        "Basic aGVsbG8gd29ybGQ",
        "",
    ],
)
def test_prose_without_secrets_is_untouched(text: str) -> None:
    """Words that only look a little like secrets stay."""
    assert Redactor().text(text) == text


@pytest.mark.parametrize(
    "value",
    [
        {"max_tokens": 100, "usage": {"prompt_tokens": 1, "total_tokens": 2}, "created": 1795989574},
        {"logprobs": {"content": [{"token": "Hello12345XYZ", "logprob": -0.1}]}},
        {
            "page_token": "abcdef123456",
            "id": "chatcmpl-vNHlVC8F73u4fLr46UVn5PeYshkFbAEx",
            "tool_call_id": "call_9aB",
        },
        {"properties": {"password": {"type": "string"}}, "required": ["password", "api_key"]},
        {"password": None, "secret": True, "token": 12, "api_key": "", "passwd": "***"},
        {"token": "hello"},
    ],
)
def test_values_without_secrets_are_untouched(value: Any) -> None:
    """Counts, ids, schemas, log probabilities and empty fields are no secrets."""
    assert Redactor().value(value) is value
    body = json.dumps(value).encode()
    assert Redactor().body(body, "application/json") is body


def test_fields_in_values() -> None:
    """Tool arguments: lists under a secret field, numbers as passwords, schemes kept, the rest as it was."""
    value = {
        "password": 1234,
        "api_key": ["one1", "two2", 3],
        "authorization": "Token abc",
        "n": 2**80,
        "next": ["one1"],
    }
    assert Redactor().value(value) == {
        "password": "<secret-1>", "api_key": ["<secret-2>", "<secret-3>", 3],
        "authorization": "Token <secret-4>",
        "n": 2**80, "next": ["one1"],
    }  # fmt: skip
    nested = {"arguments": json.dumps({"deep": json.dumps({"password": 1234})})}
    shown = Redactor().value(nested)
    assert json.loads(json.loads(shown["arguments"])["deep"]) == {"password": "<secret-1>"}


def test_numbers_follow_first_appearance() -> None:
    """The same secret has one number in every place, two secrets never share one."""
    redactor = Redactor()
    one, two = "sk-abcdefgh123456", "sk-abcdefgh654321"
    assert redactor.text(f"{two} {one} {two}") == "<secret-1> <secret-2> <secret-1>"
    assert redactor.body(json.dumps({"a": one}).encode(), "application/json") == b'{"a": "<secret-2>"}'
    assert redactor.url(f"http://h/?key={two}") == "http://h/?key=<secret-1>"


def test_a_secret_learnt_by_field_is_masked_everywhere() -> None:
    """A password seen once is masked in prose too, and who remembers older text is told."""
    redactor = Redactor()
    before = redactor.generation
    body = (
        b'[{"content":"try hunter22 now"},{"password":"hunter22"},{"password":"open"},{"content":"open it"}]'
    )
    masked = body.replace(b"hunter22", b"<secret-1>").replace(b'"open"', b'"<secret-2>"')
    assert redactor.body(body, "application/json") == masked
    assert redactor.generation > before
    assert redactor.fragment(b'{"content":"hunter22"}') == b'{"content":"<secret-1>"}'
    assert redactor.survivors("still hunter22 here") == ("<secret-1>",)
    assert redactor.survivors("nothing here") == ()


def test_masks_of_served_answers_use_up_their_numbers() -> None:
    """In replay the next fresh secret gets the number it had at the recording."""
    redactor = Redactor()
    redactor.reserve(b"x <secret-3> <secret-1>")
    redactor.reserve("nothing")
    assert redactor.text("sk-abcdefgh123456 sk-abcdefgh654321") == "<secret-2> <secret-4>"


def test_a_session_is_kept_by_a_word() -> None:
    """An MCP client learns that it has a session; who reads the cassette cannot speak in it."""
    assert Redactor().headers([("Mcp-Session-Id", "1868a90c-4d7f")]) == (("mcp-session-id", "<session>"),)


def test_headers_are_kept_by_allow_list() -> None:
    """What an agent's code may act on stays; keys, cookies, dates and ids go, and use no number."""
    redactor = Redactor()
    headers = [
        ("Authorization", "Bearer sk-abcdefgh123456"), ("Content-Type", "application/json"),
        ("Set-Cookie", "a=b"),
        ("Date", "now"), ("X-Request-Id", "1"), ("User-Agent", "OpenAI/Python"), ("Retry-After", "1"),
        ("Location", "https://h/x?token=abc"),
    ]  # fmt: skip
    assert redactor.headers(headers) == (
        ("content-type", "application/json"), ("retry-after", "1"), ("location", "https://h/x?token=<secret-1>"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"\x89PNG sk-abcdefgh123456", "image/png"),
        (b"sk-abcdefgh123456", "application/octet-stream"),
        (b"\x00\x01 sk-abcdefgh123456", ""),
        (b"", "application/json"),
        (b"\xff\xfe caf\xe9", "text/plain"),
    ],
)
def test_binary_bodies_are_untouched(body: bytes, kind: str) -> None:
    """Bytes that are no text stay what they are."""
    assert Redactor().body(body, kind) is body


def test_text_in_other_encodings_keeps_its_bytes() -> None:
    """Bytes that are no UTF-8 survive beside a secret, in prose, in uploads and in broken JSON."""
    for kind in ("text/plain; charset=latin-1", "multipart/form-data; boundary=x", "application/json"):
        assert Redactor().body(b'{"caf\xe9": "sk-abcdefgh123456"', kind) == b'{"caf\xe9": "<secret-1>"'


def test_truncated_arguments_are_searched_too() -> None:
    """A model that ran into its token limit leaves half a JSON text; its secrets are found all the same."""
    body = json.dumps({"arguments": '{"password": "hunter22", "note": "sk-abcdefgh12'}).encode()
    shown = Redactor().body(body, "application/json")
    assert json.loads(shown) == {"arguments": '{"password": "<secret-1>", "note": "<secret-2>'}


def test_json_lines_are_streams() -> None:
    """Ollama's native stream is JSON lines; a key in pieces is found there too."""
    body = b'{"response":"sk-abcd"}\n{"response":"efgh123456"}\n{"response":""}\nsk-ijklmnop123456'
    masked = b'{"response":"<secret-1>"}\n{"response":""}\n{"response":""}\n<secret-2>'
    assert Redactor().body(body, "application/x-ndjson") == masked
    assert (
        Redactor().stream(b'{broken "sk-abcdefgh123456"\n{"a":1,"a":"x"}')
        == b'{broken "<secret-1>"\n{"a":1,"a":"x"}'
    )


def test_user_rules_mask_and_tell_when_they_never_matched() -> None:
    """Fields and patterns of the project's own are applied; a rule that matched nothing is named."""
    rules = parse_rules(
        {"fields": ["Badge-Number", "iban"], "patterns": ["ACME-[0-9]+", "pin (\\d+)", "never"]}
    )
    redactor = Redactor(rules)
    assert redactor.unmatched() == (
        'field "Badge-Number"',
        'field "iban"',
        'pattern "ACME-[0-9]+"',
        'pattern "pin (\\d+)"',
        'pattern "never"',
    )
    assert redactor.value({"badge_number": "x1", "note": "pin 1234 for ACME-77"}) == {
        "badge_number": "<secret-1>", "note": "pin <secret-2> for <secret-3>",
    }  # fmt: skip
    assert redactor.unmatched() == ('field "iban"', 'pattern "never"')
    assert redactor.fragment(b'{"iban":"IT60"}') == b'{"iban":"<secret-4>"}'


def test_a_pattern_that_matches_masks_leaves_them_alone() -> None:
    """Scrubbing twice changes nothing, even where the user's pattern fits the mask."""
    redactor = Redactor(parse_rules({"patterns": ["secret-?[0-9]*", "key: (\\S+)"]}))
    once = redactor.text("key: abc and secret-9")
    assert once == "key: <secret-1> and <secret-2>"
    assert redactor.text(once) == once


@costly(30)
@given(st.data(), INNOCENT, SHAPED | WORD, st.booleans())
def test_record_and_match_see_the_same(data: Any, value: Any, secret: str, is_listed: bool) -> None:
    """The fast way of the key finds in a message what the scrubbing of the whole body found."""
    message = {"content": filled(holed(value, data.draw), hidden(secret, data.draw)[0])}
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    body = b'{"messages":[' + text + b"]}" if is_listed else text
    assert Redactor().fragment(text) in Redactor().body(body, "application/json")


def test_threads_agree_on_numbers() -> None:
    """Eight threads that meet the same secrets at once give each one number."""
    redactor = Redactor()
    seen: list[tuple[str, str]] = []
    secrets = [f"sk-abcdefgh12345{index}" for index in range(10)]

    def scrub() -> None:
        seen.extend((secret, redactor.text(secret)) for secret in secrets)

    threads = [threading.Thread(target=scrub) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(seen)) == len({mask for _, mask in seen}) == 10
    assert all(MASK.fullmatch(mask) for _, mask in seen)


@given(st.data(), SHAPED | WORD)
def test_the_short_way_overlooks_nothing(data: Any, secret: str) -> None:
    """What the match-time hint lets pass unread holds no secret that a full search would find."""
    item = hidden(secret, data.draw)[0]
    text = json.dumps(
        {"arguments": json.dumps(item)} if data.draw(st.booleans()) else {"content": item}
    ).encode()
    thorough = Redactor(parse_rules({"patterns": ["never matches"]}))
    assert Redactor().fragment(text) == thorough.fragment(text) != text


def test_a_recording_listens() -> None:
    """To the environment's secrets and to dropped headers; a redactor of a replay hears nothing."""
    headers = [
        ("Authorization", "Bearer own8tok3n"),
        ("Cookie", "a=1; sid=s3ss10n-id"),
        ("Date", "n0w-or-later"),
    ]
    text = "own8tok3n s3ss10n-id n0w-or-later env1ronment /work/4711"
    deaf, hearing = Redactor(), Redactor()
    deaf.overhear(headers)
    assert deaf.text(text) == text
    hearing.listen({"SOME_TOKEN": "env1ronment", "PWD": "/work/4711", "HOME": "/home/42"})
    hearing.overhear(headers)
    assert hearing.text(text) == "<secret-1> <secret-2> n0w-or-later <secret-3> /work/4711"


def test_what_is_allowed_is_no_secret() -> None:
    """Neither by its look nor by its field nor from the environment; and it is told whether it ever was."""
    redactor = Redactor(parse_rules({"allow": [{"pattern": "sk-demo-.*", "reason": "a demo"}, "never"]}))
    redactor.expect(["sk-demo-1234567890"])
    text = '{"api_key": "sk-demo-1234567890", "note": "sk-demo-0987654321 sk-real-1234567890"}'
    assert redactor.text(text) == text.replace("sk-real-1234567890", "<secret-1>")
    assert redactor.unmatched() == ('allow "never"',)


def test_masks_are_never_shared_and_never_masked_again() -> None:
    """A thousand secrets have a thousand masks, and a second look changes nothing."""
    redactor = Redactor()
    text = " ".join(f"sk-abcdefgh{number:06d}" for number in range(1000))
    shown = redactor.text(text)
    assert len(set(shown.split())) == 1000
    assert redactor.text(shown) == shown
    assert Redactor().text(shown) == shown
    assert redactor.behind("<secret-7>") == "sk-abcdefgh000006"
    assert not redactor.bind({"another": 7})
