"""95 % intervals of a campaign. The run is the unit that is independent of others: the grants of
one run share its faults. So shares are of runs (Wilson's score interval), and rates per 1,000
grants join a bootstrap's that draws whole runs with what the share leaves open, which the harness
computes.
"""

Z = 1.959964
"""The two-sided 95 % quantile of the normal distribution."""


def share(k, n):
    """{"value", "low", "high"} of k of n runs: Wilson's, of two sides, also of none."""
    if n == 0:
        return {"value": 0, "low": 0, "high": 1}
    p, z2 = k / n, Z * Z
    centre, scale = p + z2 / (2 * n), 1 + z2 / n
    half = Z * (p * (1 - p) / n + z2 / (4 * n * n)) ** 0.5
    return {"value": p, "low": (centre - half) / scale if k else 0,
            "high": min(1, (centre + half) / scale)}


def rate(row, k, n):
    """The interval of a rate that `k` of `n` runs had a part in. Runs of older versions of locklab
    have intervals with 0 in them though something was seen: there the lower end is that of the
    share of runs, each with as many events as those that were seen."""
    if row is None or not row["value"] or row["low"] or not k:
        return row
    found = share(k, n)
    return {**row, "low": row["value"] * found["low"] / found["value"]}
