"""Rows of price.json, made up."""


def row(lock="set_nx_lua", servers="one", speed=470.0, overlaps=(0, 0, 8.0), grants=480, stuck=0,
        **more):
    value, low, high = overlaps
    return {"lock": lock, "servers": servers, "version": None, "ttl_us": 1_000_000,
            "faults": "slow_job=1,crash=1", "why_not": None,
            "calm": {"grants": 600, "grants_per_s": speed, "wait_us_p50": 500,
                     "wait_us_p99": 32_000, "commands_per_grant": 4.43,
                     "command": f"./locklab campaign driver:{lock} --faults none"},
            "struck": {"runs": 24, "left_out": 0, "stuck_runs": stuck, "grants": grants,
                       "overlaps": round(value * grants / 1000),
                       "overlaps_per_1000": {"value": value, "low": low, "high": high},
                       "command": f"./locklab campaign driver:{lock} --faults slow_job=1,crash=1"},
            } | more


def price():
    """The object of price.json."""
    rows = [row("setnx_del", speed=500, stuck=14), row(overlaps=(40.0, 30.0, 51.0)),
            row("fenced", speed=450, overlaps=(38.0, 28.0, 49.0)),
            row("redlock", "masters:5", 230, (25.0, 15.0, 36.0)),
            row("wait_replicated", "replicas:1", 300, (41.0, 30.0, 52.0)),
            row("lib:etcd", "own", 30, grants=227, version="3.7.3"),
            row("lib:zookeeper", "own", 45, version="5.9.0"),
            row("set_nx_del", overlaps=(30.0, None, None)),
            row("watchdog_owned", why_not="no redis-server was found.")]
    rows[2]["struck"]["left_out"] = 3
    for own in rows[5:7]:
        del own["calm"]["commands_per_grant"]
    return {"price": rows}
