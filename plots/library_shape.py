"""What libraries.json must look like: the libraries that a run has played, and what came of it."""

import shape as s

PLAY = s.record(
    {"scenario": s.name, "result": s.one_of("as_expected", "differs", "not_played", "no_verdict"),
     "words": s.text, "proved_overlaps": s.count})
SEARCH = s.record(
    {"hazard": s.name, "verdict": s.one_of("violated", "unknown"), "plays": s.count,
     "grants": s.count, "trouble": s.maybe(s.text)})
CELL = s.record(
    {"subject": s.text, "library": s.text, "version": s.maybe(s.text),
     "world": s.one_of("virtual", "live"), "faults": s.faults, "size": s.text, "date": s.text,
     "baseline": s.maybe(s.text), "news": s.flag,
     "verdict": s.one_of("holds", "violated", "stuck", "unknown", "not seen"),
     "why_unknown": s.maybe(s.text), "runs": s.count, "broken_runs": s.count,
     "goes_wrong_at_most": s.number, "causes": s.map_of(s.count), "replay": s.text},
    {"hung": s.count, "grants": s.count,
     "hangs": s.record({key: s.count for key in ("count", "gone_on", "longest_wait_us")}),
     "oracles": s.map_of(s.record({"found": s.count, "of": s.count}))})
DEFECT = s.record({key: s.text for key in ("file", "what", "tracker", "command", "script")})
LIBRARIES = s.record({"libraries": s.list_of(s.record(
    {"name": s.text, "library": s.text, "version": s.text, "like": s.name,
     "scenarios": s.list_of(PLAY), "searches": s.list_of(SEARCH),
     "not_searched": s.maybe(s.text), "trouble": s.maybe(s.text)},
    {"cells": s.list_of(CELL), "documentation": s.text, "defaults": s.text,
     "defects": s.list_of(DEFECT), "cannot_run": s.text}))})
