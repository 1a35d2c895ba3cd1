#!/usr/bin/env bash
# The product in a minute: no model, no key, no network. `make demo` runs it with kit on PATH.
set -euo pipefail
project=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/kit-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT
say() { printf '\n== %s\n' "$1"; }
shown() { printf '\n$ %s\n' "$*"; "$@"; }
unset CI KIT_MODEL KIT_BASE_URL KIT_JUDGE  # recording into a throwaway folder is no acceptance

say "1. Replay what was recorded from real models and from the stub: offline, free, a verdict for each scenario"
cd "$project"
shown kit replay

say "2. Record one scenario live, over real HTTP on loopback, from the scripted model 'stub'"
cp -r docs/example/. "$work"
cd "$work"
shown kit record --model stub 001
shown kit show cassettes/library/stub/001_find_a_book.yaml

say "3. Replay it: the same agent code runs again, against the recording"
shown kit replay
shown kit accept --reason "read and found right"

say "4. Change one word of the system prompt: replay goes on, says what changed, and never passes"
sed -i.before 's/kind librarian/strict librarian/' librarian.py
printf '\n$ diff librarian.py.before librarian.py\n'
diff librarian.py.before librarian.py || true
code=0
shown kit replay || code=$?
[ "$code" = 3 ] || { echo "demo: expected exit code 3, got $code" >&2; exit 1; }
printf '\n(exit code 3: needs recording; what the old answers show is a forecast, and nothing was asked of any model)\n'

say "5. Your own agent and model"
printf '%s\n' \
  "any program:  kit record -- python my_agent.py   then   kit replay -- python my_agent.py" \
  "scenarios:    kit record --model gpt-oss:20b     then   kit replay     (ollama serve; or --base-url)"
