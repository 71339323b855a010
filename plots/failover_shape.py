"""The shape of failovers.json."""

import shape as s

OUTCOME = s.record({"granted": s.count, "lost": s.count, "twice": s.count, "left": s.count,
                    "lost_share": s.number})
FAILOVERS = s.record({"failovers": s.list_of(s.record({
    "lag_us": s.count, "safeguard": s.name, "replicas": s.count, "within_us": s.count,
    "ttl_us": s.count, "server": s.name, "redis": s.maybe(s.text), "runs": s.count,
    "refused": s.count, "nothing": s.count, "why_nothing": s.maybe(s.text), "real": OUTCOME,
    "modelled": s.maybe(OUTCOME), "differ": s.count, "model_is_inside": s.flag,
    "second_refused": s.count, "promoted_us_p50": s.count, "promoted_us_max": s.count,
    "late_us_p50": s.count, "late_us_max": s.count}))})


def read_failovers(listed):
    """The rows of the file, or none where there is no such file."""
    path = listed.folder / "failovers.json"
    return listed.read(path.name, FAILOVERS)["failovers"] if listed.has(path.name) else []
