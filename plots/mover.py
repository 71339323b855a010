"""Intervals of a difference and of a ratio from those of two independent estimates.

MOVER, the method of variance estimates recovery, asks of each estimate no more than its value and
its 95 % interval, whatever made them: cells of a campaign are ratios over runs with Student's t,
figures of a benchmark medians with order statistics, and a file has no more of either. Intervals
need not be symmetric, and an end may be lacking (null: nothing bounds it). The difference is that
of Zou and Donner, Construction of confidence intervals about effect measures, Statistics in
Medicine 27 (2008), 1693-1702, after Newcombe's for proportions (ibid. 17 (1998), 873-890). The
ratio is the same on the scale of logarithms (ibid.; also Newcombe, MOVER-R confidence intervals
for ratios and products, Statistical Methods in Medical Research 25 (2016), 1774-1778): it cannot
leave the positive numbers, A/B is B/A upside down, and it exists also where an interval reaches
beyond twice its value, where MOVER-R does not.

Estimates that share their chance, such as simulated cells of one seed, are not independent; what
they share makes them alike, so that these intervals are rather too wide.
"""

import math


def ends(found):
    """(how far the interval reaches down, how far up); infinitely far where an end is null."""
    low, high = found["low"], found["high"]
    return (math.inf if low is None else found["value"] - low,
            math.inf if high is None else high - found["value"])


def bounded(value):
    return value if math.isfinite(value) else None


def difference(a, b):
    """b - a with its 95 % interval."""
    (down_a, up_a), (down_b, up_b) = ends(a), ends(b)
    value = b["value"] - a["value"]
    return {"value": value, "low": bounded(value - math.hypot(down_b, up_a)),
            "high": bounded(value + math.hypot(up_b, down_a))}


def mapped(function, found):
    return {key: None if x is None else function(x) for key, x in found.items()}


def ratio(a, b):
    """b / a with its 95 % interval; both values must be above zero."""
    logs = [mapped(lambda x: math.log(x) if x > 0 else None, one) for one in (a, b)]
    return {**mapped(math.exp, difference(*logs)), "value": b["value"] / a["value"]}


def apart(found, same):
    """Whether an interval leaves `same` out: 0 of a difference, 1 of a ratio."""
    low, high = found["low"], found["high"]
    return (low is not None and low > same) or (high is not None and high < same)
