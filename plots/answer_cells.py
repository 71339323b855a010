"""What one cell says: whether its verdict can be trusted, and whether its lock held."""

DECIDED = ("holds", "violated", "stuck")
CLEAN = ("holds", "not seen")
"""Nothing went wrong; `not seen` is said of runs too few for more (harness/check/run_bound.h)."""


def contradicts(cell):
    """Why a cell's counts do not carry its verdict, or None."""
    clean = cell["verdict"] in CLEAN
    counted = clean or cell["verdict"] in DECIDED
    failures = sum(cell[field] for field in ("overlaps", "lost_updates", "fence_inversions"))\
        if counted else 0
    if clean and (failures or cell["stuck"]):
        return f"says {cell['verdict']}, although a failure was counted"
    if clean and not cell["grants"]:
        return f"says {cell['verdict']}, although nobody was ever granted the lock"
    if cell["verdict"] == "violated" and not failures:
        return "says violated, although no failure was counted"
    if cell["verdict"] == "stuck" and not cell["stuck"]:
        return "says stuck, although no run was stuck for ever"
    return None


def held(cell):
    return cell["verdict"] == "holds" and contradicts(cell) is None


def withstood(cell):
    """Whether advice may rest on it: the lock held, and its own file does not say that it breaks.
    Few runs do not see every break; what the file says is tested by searches and races."""
    return held(cell) and cell.get("claim") != "broken"


def decided(run, world, algorithm):
    """The cells of one lock that came to a verdict."""
    return [c for c in run.row(world, algorithm) if c["verdict"] in DECIDED]


def faced(run, world, algorithm):
    """The cells of one lock on which advice rests: those that came to a verdict, and those that its
    own file says to break it, even where no run was struck."""
    return [c for c in run.row(world, algorithm) if c["verdict"] in DECIDED
            or (c["verdict"] == "unknown" and c.get("claim") == "broken")]


def is_open(cell):
    """Nothing was seen, in runs too few to say that the lock holds, and its own file does not say
    that it breaks."""
    return cell["verdict"] == "not seen" and cell.get("claim") != "broken"


def is_too_small(run, world):
    """Whether no lock held under anything, and some may: advice would rest on chance."""
    cells = [c for name in run.locks() for c in run.row(world, name)]
    return any(map(is_open, cells)) and not any(map(withstood, cells))


def broken_by_all(run, world):
    """Hazards that no lock with a lease withstood, of those under test that they were put to."""
    leases = [name for name in run.locks() if run.has_ttl(name)]
    found = []
    for hazard in (h["name"] for h in run.hazards):
        cells = [c for name in leases for c in faced(run, world, name) if c["hazard"] == hazard]
        may_hold = any(is_open(c) for name in leases for c in run.row(world, name)
                       if c["hazard"] == hazard)
        if cells and not may_hold and not any(map(withstood, cells)):
            found.append(hazard)
    return found
