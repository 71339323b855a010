"""The table of libraries: what happened to each under each fault, and what of it is news."""

import words

MARKS = {
    "X": "an overlap was proved, or the lock was stuck, under what not every lease breaks",
    "x": "the same, under what every lease breaks",
    ".": "nothing was seen, in enough runs to say so",
    "o": "nothing was seen, in too few runs to say more",
    "?": "not known",
    "-": "not asked, or it cannot be made for it",
}
CLEAN = {"holds": ".", "not seen": "o", "unknown": "?"}
BESIDE = {
    "late_grants": ("Granted after the validity had run out", "grants"),
    "late_notices": ("Told of a loss later than a TTL, or than its manifest says", "losses"),
    "never_told": ("Lost the lock while inside, and was never told", "losses"),
    "false_alarms": ("Told of a loss that was none", "stays inside"),
    "own_keys_deleted": ("Its own key was deleted by a command of an earlier round", "keys"),
    "others_keys_deleted": ("Another client’s key was deleted", "keys"),
    "keys_left": ("A try that failed left a key behind until it ran out", "failed tries"),
    "long_calls": ("A call for the lock blocked longer than it promised", "calls"),
    "deaths": ("The process ended by itself", "processes"),
}
"""As harness/check/oracle.h; the others are part of the verdict."""


def cells(run):
    return [cell for row in run.libraries for cell in row.get("cells") or []]


def not_run(run):
    """A sentence for each library whose driver cannot run."""
    return [f"{title(row)} was not run: {row['cannot_run'].rstrip('.')}."
            for row in run.libraries if row.get("cannot_run")]


def columns(run):
    """Sets of faults, single ones first."""
    found = dict.fromkeys(cell["faults"] for cell in cells(run))
    return sorted(found, key=lambda faults: faults.count(","))


def mark(cell):
    if cell is None:
        return "-"
    return CLEAN.get(cell["verdict"]) or ("X" if cell["news"] else "x")


def short(faults):
    """pause, or delay_reply + retry: each fault of a column comes once."""
    if faults == "none":
        return "no fault"
    return " + ".join(part.removesuffix("=1") for part in faults.split(","))


def rows(run):
    """[(row of the run, [(set of faults, cell or None)])] of libraries that have cells."""
    found = []
    for row in run.libraries:
        of_row = {cell["faults"]: cell for cell in row.get("cells") or []}
        if of_row:
            found.append((row, [(faults, of_row.get(faults)) for faults in columns(run)]))
    return found


def title(row):
    return f"{row['library']} {row['version']}"


def amount(cell):
    if cell["world"] == "virtual":
        return f"after {runs_of(cell)}"
    return f"in {cell['broken_runs']} of {runs_of(cell)}"


def news(row):
    """[(faults, sentence, command)] of what tells this library from others."""
    found = []
    for cell in row.get("cells") or []:
        if not cell["news"]:
            continue
        causes = [f"{name.replace('_', ' ')} {count}" for name, count in cell["causes"].items()
                  if count]
        why = f"; cause: {', '.join(causes)}" if causes else ""
        found.append((short(cell["faults"]), f"{cell['verdict']}, {amount(cell)}{why}",
                      cell["replay"]))
    return found


def runs_of(cell):
    return words.plural(cell["runs"], "play" if cell["world"] == "virtual" else "run")


OF_NO_LEASE = ("own_keys_deleted", "others_keys_deleted", "deaths")
"""What no lease has to do, not even under what breaks every one."""


def beside(row):
    """[(what was seen beside the verdict, where)], under what not every lease breaks."""
    every = row.get("cells") or []
    cells_of = [cell for cell in every if not cell["baseline"]]
    found = []
    for name, (sentence, chances) in BESIDE.items():
        seen = [(cell, one) for cell in (every if name in OF_NO_LEASE else cells_of)
                if (one := cell.get("oracles", {}).get(name)) and one["found"]]
        if seen:
            found.append((sentence, "; ".join(
                f"{short(cell['faults'])}: {words.count(one['found'])} of"
                f" {words.count(one['of'])} {chances}" for cell, one in seen)))
    hung = [cell for cell in cells_of if cell.get("hung")]
    if hung:
        found.append(("A client waited to the end for an answer that was lost", "; ".join(
            f"{short(cell['faults'])}: in {words.count(cell['hung'])} of {runs_of(cell)}"
            for cell in hung)))
    return found


def hang(row):
    """Whether it goes on while one of its several servers hangs; empty where that was not asked."""
    of_row = {cell["faults"]: cell.get("hangs") for cell in row.get("cells") or []}
    seen = of_row.get("freeze=1")
    if not seen:
        return ""
    return (f"While one of its servers hung, it was granted again in the second half of the hang in"
            f" {words.count(seen['gone_on'])} of {words.plural(seen['count'], 'hang')}; from the"
            f" start of a hang to the next grant it took up to"
            f" {words.duration(seen['longest_wait_us'])}.")


def clean(row):
    """Sentences: under what nothing was seen, and in how much."""
    by_amount = {}
    for cell in row.get("cells") or []:
        if cell["verdict"] in ("holds", "not seen"):
            by_amount.setdefault(runs_of(cell), []).append(short(cell["faults"]))
    return [f"Mutual exclusion was not seen broken in {amount} each under {words.listing(faults)}."
            if len(faults) > 1 else
            f"Mutual exclusion was not seen broken in {amount} under {faults[0]}."
            for amount, faults in by_amount.items()]


def unsure(row):
    """[(faults, why it is not known)]"""
    return [(short(cell["faults"]), (cell["why_unknown"] or "nobody says why").rstrip("."))
            for cell in row.get("cells") or [] if cell["verdict"] == "unknown"]


def not_asked(run, row):
    """The faults of the run that this library was not put to; "" where there is none."""
    asked = {cell["faults"].removesuffix("=1") for cell in row.get("cells") or []}
    names = [h["name"] for h in run.hazards if h["name"] not in asked | {"contention"}]
    return f"Not put to {words.names(names)}." if names else ""


def told_first(defect):
    """(the first sentence on a defect, the others)"""
    first, dot, rest = defect["what"].partition(". ")
    return first + dot.strip(), rest


def of_every_lease(row):
    """Under what every lease breaks so did this one; empty: it did not."""
    names = [short(cell["faults"]) for cell in row.get("cells") or []
             if cell["baseline"] and mark(cell) == "x"]
    return f"Broken as every lease is: {words.listing(names)}." if names else ""


def how(row):
    """In which world its cells were made, with how much, and when."""
    first = row["cells"][0]
    where = "virtual time" if first["world"] == "virtual" else "real time"
    others = [cell for cell in row["cells"] if cell["world"] != first["world"]]
    dates = sorted({cell["date"] for cell in row["cells"]})
    said = f"{where}, {first['size']}, {' to '.join(dates[:1] + dates[1:][-1:])}"
    if others:
        said += (f"; real time, {others[0]['size']}, under"
                 f" {words.listing([short(cell['faults']) for cell in others])}")
    return said


def bound(run):
    """What the cleanest cells leave open, in words; empty where none is clean."""
    clean = [cell["goes_wrong_at_most"] for cell in cells(run) if cell["verdict"] == "holds"]
    if not clean:
        return ""
    return (f"Where nothing was seen, something may still go wrong in up to"
            f" {100 * max(clean):.3g} % of runs (95 %); it is no proof.")
