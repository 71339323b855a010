"""What safety costs: how fast each kind of lock is while nothing fails, and what it lets through
under the same mix of faults.
"""

import matrix
import words

OWN = "its own"
HEADS = ("Row", "Lock", "Servers", "Grants per second", "Wait, p50", "Wait, p99",
         "Commands per grant", "Overlaps per 1,000 grants, under faults", "Stuck for ever")


WHAT_THEY_ARE = {
    "self_fencing_watchdog": "`self_fencing_watchdog` is `watchdog_owned` whose holder stops by its"
                             " own clock when the lease may be over.",
    "wait_replicated": "`wait_replicated` waits after its SET until a replica has it (WAIT).",
    "redlock_in_turn": "`redlock_in_turn` asks its servers one after the other, as Redlock’s page"
                       " says; `redlock` asks all at once.",
}
"""The rows that stand nowhere else on the page."""


def why_not(row):
    """Why a row shows nothing; empty where it was measured with faults and without."""
    if row["why_not"]:
        return row["why_not"]
    both = row["calm"]["grants"] and row["struck"]["runs"] and row["struck"]["grants"]
    return "" if both else "every run was disturbed, or granted nothing."


def rows(run):
    """Those that were measured, in the order of the run."""
    return [row for row in run.price if not why_not(row)]


def is_told(run):
    """Whether the page has this part."""
    return bool(rows(run))


def servers(row):
    """Where the lock is kept."""
    kind, _, number = row["servers"].partition(":")
    return {"one": "one Redis", "masters": f"{number} Redis, a majority",
            "replicas": "Redis and a replica"}.get(kind, OWN)


def name(row):
    """`redlock (masters:5)`: a lock and, where it asks several servers, which."""
    several = row["servers"].startswith("masters")
    return f"`{row['lock']} ({row['servers']})`" if several else f"`{row['lock']}`"


def is_safe(row):
    """Whether nothing was seen to go wrong."""
    return not row["struck"]["overlaps"] and not row["struck"]["stuck_runs"]


def per_1000(row):
    """Overlaps per 1,000 grants."""
    return row["struck"]["overlaps_per_1000"]


def answer(run):
    """What the faults showed, and what it costs where they showed nothing."""
    found = rows(run)
    safe = [row for row in found if is_safe(row)]
    bounds = [per_1000(row)["high"] for row in safe if per_1000(row)["high"] is not None]
    broken = sorted((row for row in found if row["struck"]["overlaps"]),
                    key=lambda row: per_1000(row)["value"])
    said = []
    if safe:
        least = words.plural(min(row["struck"]["grants"] for row in safe), "grant")
        said.append(f"Nothing was seen to go wrong with {words.listing(map(name, safe))}, in"
                    f" {least} or more of each:"
                    f" {words.number(min(speed(row) for row in safe))} to"
                    f" {words.number(max(speed(row) for row in safe))} grants per second."
                    if len(safe) > 1 else
                    f"Nothing was seen to go wrong with {name(safe[0])}, in {least}:"
                    f" {words.number(speed(safe[0]))} grants per second.")
        if bounds:
            said.append(f"Up to {words.number(max(bounds))} overlaps per 1,000 grants remain"
                        " possible (95 %).")
    else:
        said.append("Under these faults something went wrong with every lock.")
    if broken:
        least, most = broken[0], broken[-1]
        said.append("Overlaps per 1,000 grants where there were any:"
                    f" {name(least)} {words.interval(per_1000(least))}"
                    + (f", up to {name(most)} {words.interval(per_1000(most))}."
                       if most is not least else "."))
    stuck = [row for row in found if row["struck"]["stuck_runs"]]
    if stuck:
        said.append(f"Stuck for ever in some runs: {words.listing(map(name, stuck))}.")
    return " ".join(said)


def speed(row):
    return row["calm"]["grants_per_s"]


def intro(run):
    """What was done."""
    first = rows(run)[0]
    faults = [fault.partition("=")[0] for fault in first["faults"].split(",")]
    return ("Each lock is asked by three processes, behind the fault proxy, with a TTL of"
            f" {words.round_duration(first['ttl_us'])}. First nothing fails, and jobs take 1 ms:"
            " that is its speed here, to be compared within this table only. Then each run has"
            f" one each of {words.names(faults)}, and jobs of usual length.")


def wait(us):
    return words.together(words.duration(us))


def stuck(row):
    return words.of_runs(row["struck"]["stuck_runs"], row["struck"]["runs"])


def overlaps(row):
    """Their rate, with its interval; of none, with what remains possible."""
    rate = per_1000(row)
    if row["struck"]["overlaps"] or rate["high"] is None:
        return words.interval(rate)
    return f"0 (≤ {words.number(rate['high'])})"


def table(run):
    """[[text of each of HEADS]]"""
    found = []
    for number, row in enumerate(rows(run), 1):
        calm = row["calm"]
        version = f" {row['version']}" if row["version"] else ""
        found.append([str(number), f"`{row['lock']}`{version}", servers(row),
                      words.number(speed(row)), wait(calm["wait_us_p50"]),
                      wait(calm["wait_us_p99"]),
                      words.number(calm.get("commands_per_grant")), overlaps(row), stuck(row)])
    return found


def table_md(run):
    return matrix.table_md(HEADS, table(run))


def commands(run):
    """(the command without faults, that with faults) of the first row; the others are in
    price.json."""
    first = rows(run)[0]
    return first["calm"]["command"], first["struck"]["command"]


def notes(run):
    """Sentences on what the figures do not say."""
    said = ["Rows whose intervals meet are not told apart. Each speed is one pass of"
            f" {words.plural(row['calm']['grants'], 'grant')}, without an interval: a difference"
            " below a factor of two says nothing. No server restarts, and no replica takes over:"
            " these figures cannot show what several servers are for." for row in rows(run)[:1]]
    here = {row["lock"] for row in rows(run)}
    said += [text for lock, text in WHAT_THEY_ARE.items() if lock in here]
    if any(row["lock"] == "fenced" for row in rows(run)):
        said.append("`fenced` lets others in like any lease; a resource that checks its tokens"
                    " refuses what the late one writes.")
    if any(row["servers"] == "own" for row in rows(run)):
        said.append("What is sent to servers that are not Redis is not read: their commands are"
                    " not counted.")
    left_out = sum(row["struck"]["left_out"] for row in rows(run))
    if left_out:
        said.append(f"Left out, because this machine was late: {words.plural(left_out, 'run')}.")
    said += [f"Not measured: {name(row)}: {why_not(row)}" for row in run.price if why_not(row)]
    return said
