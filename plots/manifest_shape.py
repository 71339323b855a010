"""The shape of manifest.json."""

import shape as s

MANIFEST = s.record(
    {"locklab": s.text, "started": s.text, "seconds": s.number, "command": s.text,
     "mode": s.text, "seed": s.anything, "complete": s.flag},
    {"commit": s.text, "compiler": s.text, "redis": s.maybe(s.text),
     "machine": s.map_of(s.anything), "parameters": s.map_of(s.map_of(s.anything)),
     "files": s.list_of(s.text), "digests": s.map_of(s.text),
     "missing": s.list_of(s.record({"part": s.text, "why": s.text})),
     "running": s.flag, "to_come": s.list_of(s.text),
     "left_out": s.list_of(s.record({"name": s.text, "title": s.text})),
     "took": s.list_of(s.record({"name": s.text, "seconds": s.number,
                                 "processor_seconds": s.number},
                                {"commit": s.text, "started": s.text})),
     "resumed": s.list_of(s.text)})
