"""Rows of failovers.json, made up."""


def outcome(granted=200, lost=0, twice=0, left=0):
    return {"granted": granted, "lost": lost, "twice": twice, "left": left,
            "lost_share": lost / granted if granted else 0}


def row(lag_us=50_000, safeguard="none", real=None, modelled=None, **more):
    real = real or outcome()
    return {"lag_us": lag_us, "safeguard": safeguard, "replicas": 1, "seed": 1,
            "within_us": 200_000, "ttl_us": 30_000_000, "server": "redis", "redis": "7.0.15",
            "runs": 200, "refused": 0, "nothing": 0, "why_nothing": None, "real": real,
            "modelled": modelled or real, "differ": 0, "model_is_inside": True,
            "second_refused": 0, "second_error": None, "promoted_us_p50": 1_500_000,
            "promoted_us_max": 2_400_000, "late_us_p50": 100, "late_us_max": 4000} | more


def failovers():
    """The object of failovers.json."""
    return {"failovers": [
        row(0, runs=60, real=outcome(60)), row(5000, real=outcome(200, 5, 5)),
        row(50_000, real=outcome(200, 41, 41), differ=2),
        row(50_000, "wait", runs=60, real=outcome(48, left=1), differ=1),
        row(50_000, "min_replicas", runs=60, real=outcome(60, 12), second_refused=60, nothing=2,
            why_nothing="The Sentinels did not agree on a new master in time.")]}
