"""What libraries.json must look like: the libraries that a run has played, and what came of it."""

import shape as s

PLAY = s.record(
    {"scenario": s.name, "result": s.one_of("as_expected", "differs", "not_played", "no_verdict"),
     "words": s.text, "proved_overlaps": s.count})
SEARCH = s.record(
    {"hazard": s.name, "verdict": s.one_of("violated", "unknown"), "plays": s.count,
     "grants": s.count, "trouble": s.maybe(s.text)})
LIBRARIES = s.record({"libraries": s.list_of(s.record(
    {"name": s.text, "version": s.text, "like": s.name, "scenarios": s.list_of(PLAY),
     "searches": s.list_of(SEARCH), "not_searched": s.maybe(s.text), "trouble": s.maybe(s.text)}))})
