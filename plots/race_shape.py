"""The shape of races.json."""

import picture
import shape as s

SUM = s.one_of("violated", "stuck", "foreign_key", "waits", "kept_out", "harmless", "no_verdict")


def mermaid(value, where):
    fits = isinstance(value, str) and value.startswith("sequenceDiagram\n") and "```" not in value
    s.need(fits, value, where, "a Mermaid sequenceDiagram")


STEP = s.record({
    "kind": s.name, "time": s.text, "words": s.text, "key": s.text, "key_changed": s.flag,
    "inside": s.list_of(s.text),
    "marks": s.list_of(s.record({"words": s.text, "cause": s.text}))})
OUTCOME = s.record({
    "algorithm": s.name, "world": s.one_of("sim", "live"), "sum": SUM, "observed": s.text,
    "ok": s.flag, "replay": s.text})
RACES = s.record({"races": s.list_of(s.record({
    "name": s.name, "title": s.text, "source": s.text, "says": s.text, "means": s.text,
    "verdict_on_source": s.text, "sim_only": s.text, "algorithm": s.name, "sum": SUM,
    "observed": s.text, "why": s.text, "fix": s.text, "replay": s.text,
    "steps": s.list_of(STEP), "svg": picture.svg, "mermaid": mermaid,
    "outcomes": s.list_of(OUTCOME)}))})
