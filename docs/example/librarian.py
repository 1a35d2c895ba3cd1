"""An agent of one's own: a plain function that asks a model and knows nothing of kit."""

import httpx

PROMPT = "You are a kind librarian. Answer in one sentence and name the shelf."


def agent(turn):
    messages = [{"role": "system", "content": PROMPT}, {"role": "user", "content": turn.message}]
    wanted = {"model": turn.endpoint.model, "seed": turn.endpoint.seed, "messages": messages}
    answer = httpx.post(f"{turn.endpoint.base_url}/chat/completions", json=wanted, timeout=120)
    return answer.json()["choices"][0]["message"]["content"]
