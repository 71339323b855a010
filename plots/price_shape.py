"""The shape of price.json."""

import shape as s

CALM = s.record({"grants": s.count, "grants_per_s": s.number, "wait_us_p50": s.count,
                 "wait_us_p99": s.count, "command": s.text}, {"commands_per_grant": s.number})
STRUCK = s.record({"runs": s.count, "left_out": s.count, "stuck_runs": s.count,
                   "grants": s.count, "overlaps": s.count, "command": s.text,
                   "overlaps_per_1000": s.record({"value": s.number, "low": s.maybe(s.number),
                                                  "high": s.maybe(s.number)})})
PRICE = s.record({"price": s.list_of(s.record({
    "lock": s.text, "servers": s.text, "version": s.maybe(s.text), "ttl_us": s.count,
    "faults": s.faults, "why_not": s.maybe(s.text), "calm": CALM, "struck": STRUCK}))})


def read_price(listed):
    """The rows of the file, or none where there is no such file."""
    path = listed.folder / "price.json"
    return listed.read(path.name, PRICE)["price"] if listed.has(path.name) else []
