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


def cells(run):
    return [cell for row in run.libraries for cell in row.get("cells") or []]


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
    runs = words.plural(cell["runs"], "play" if cell["world"] == "virtual" else "run")
    if cell["world"] == "virtual":
        return f"after {runs}"
    return f"in {cell['broken_runs']} of {runs}"


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


def how(row):
    """In which world its cells were made, with how much, and when."""
    first = row["cells"][0]
    where = "virtual time" if first["world"] == "virtual" else "real time"
    return f"{where}, {first['size']}, {first['date']}"


def bound(run):
    """What the cleanest cells leave open, in words; empty where none is clean."""
    clean = [cell["goes_wrong_at_most"] for cell in cells(run) if cell["verdict"] == "holds"]
    if not clean:
        return ""
    return (f"Where nothing was seen, something may still go wrong in up to"
            f" {100 * max(clean):.3g} % of runs (95 %); it is no proof.")


def summary(run):
    """The first thing that the page says of libraries; empty where none was run."""
    found = rows(run)
    if not found:
        return ""
    broken, calm, unsure = [], [], []
    for row, _ in found:
        faults = [name for name, _, _ in news(row)]
        if faults:
            broken.append(f"{title(row)} ({', '.join(faults)})")
        else:
            known = all(cell["verdict"] != "unknown" for cell in row["cells"])
            (calm if known else unsure).append(title(row))
    ran = (f"{words.plural(len(found), 'library or mode', 'libraries and modes')} "
           + ("was" if len(found) == 1 else "were") + " run as they come.")
    told = [ran]
    if broken:
        told.append("Under faults that do not break every lease went wrong: "
                    + "; ".join(broken) + ".")
    if calm:
        told.append(f"Nothing of that kind was seen of {words.listing(calm)}.")
    if unsure:
        told.append(f"Not known in part, and else nothing: {words.listing(unsure)}.")
    return " ".join(told)
