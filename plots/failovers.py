"""How many locks a failover loses: what real Sentinels did to a lock whose master was killed just
after the grant, and what the model says of the same instants.
"""

import matrix
import words

SAFEGUARDS = {
    "none": "none: `SET NX PX`",
    "wait": "`WAIT 1`: no lock unless the replica has the key",
    "wait_on_disk": "`WAITAOF 0 1`: no lock unless the replica has the key on its disk",
    "min_replicas": "`min-replicas-to-write 1`",
}
HEADS = ("Replica is behind by", "Safeguard", "Locks lost", "In the model", "Granted twice",
         "Left taken", "New master after", "Machine late")


LEAST_RUNS = 10
"""Of fewer, most were left out, and that none was lost would say nothing."""


def rows(run):
    """The cells that show something, in the order in which they were measured. A lock that was lost
    shows something, however few failovers there were."""
    return [row for row in run.failovers if row["runs"] >= LEAST_RUNS or row["real"]["lost"]]


def is_told(run):
    """Whether the page has this part: it is about replicas that are behind."""
    return any(row["lag_us"] for row in rows(run))


def intro(run):
    """What was done."""
    found = rows(run)
    first = found[0]
    return (f"A client takes a lock of {words.round_duration(first['ttl_us'])}, and its master is"
            f" killed within {words.round_duration(first['within_us'])} of the answer to `SET`."
            f" Three real Sentinels (Redis {first['redis']}) make the replica the master, and a"
            " second client asks it for the lock:"
            f" {words.plural(sum(row['runs'] for row in found), 'failover')}.")


def worst(run):
    """The cell with the greatest share of lost locks, one without a safeguard if there is one; None
    where none was lost."""
    found = [row for row in rows(run) if row["real"]["lost"]]
    return max(found, default=None,
               key=lambda row: (row["safeguard"] == "none", row["real"]["lost_share"]))


def lag(row):
    return words.round_duration(row["lag_us"]) if row["lag_us"] else "0 ms"


def behind(row):
    return f"{lag(row)} behind"


def lost(row):
    return words.of_runs(row["real"]["lost"], row["real"]["granted"])


def answer(run):
    """The greatest share, and what a safeguard made of it at the same lag."""
    row = worst(run)
    if row is None:
        found = rows(run)
        granted = sum(row["real"]["granted"] for row in found)
        return f"Of {words.plural(granted, 'lock')} none was lost."
    said = (f"Where the replica was {behind(row)}, {lost(row)} locks were lost, and"
            f" a second client was granted {words.count(row['real']['twice'])} of them while the"
            " first one held it.")
    for other in rows(run):
        if other["safeguard"] == "wait" and other["lag_us"] == row["lag_us"]:
            said += f" With `WAIT 1`: {lost(other)}."
    return said


def modelled(row):
    """The model's share; whether it is in the interval."""
    of = row["modelled"]
    if of is None or not of["granted"]:
        return words.NONE
    said = f"{words.number(100 * of['lost_share'])} %"
    return said if row["model_is_inside"] else f"{said}, outside the interval"


def times(row, key):
    """The median, and the longest."""
    return f"{words.duration(row[key + '_p50'])} ({words.duration(row[key + '_max'])})"


def table(run):
    """[[text of each of HEADS]]"""
    return [[lag(row), SAFEGUARDS.get(row["safeguard"], ""), lost(row),
             modelled(row), words.count(row["real"]["twice"]), words.count(row["real"]["left"]),
             times(row, "promoted_us"), times(row, "late_us")] for row in rows(run)]


def table_md(run):
    return matrix.table_md(HEADS, table(run))


def compared(run):
    """Whether the model agrees, and where not."""
    found = [row for row in rows(run) if row["modelled"]]
    outside = [f"{behind(row)}, {row['safeguard'].replace('_', ' ')}" for row in found
               if not row["model_is_inside"]]
    runs = sum(row["runs"] for row in found)
    said = (f"The model was given the instant of each kill: it says the same as the servers in"
            f" {words.count(runs - sum(row['differ'] for row in found))} of"
            f" {words.plural(runs, 'failover')}.")
    if outside:
        return (f"{said} Its share lies outside of the interval here: {'; '.join(outside)}. On real"
                " servers the answer to `SET` and what goes to the replica take time beside the"
                " lag.")
    return f"{said} Its share lies in the interval of each row."


def notes(run):
    """Sentences on runs that count for nothing, and on servers that refuse."""
    found = rows(run)
    said = []
    refused = sum(row["second_refused"] for row in found)
    if refused:
        said.append(f"In {words.plural(refused, 'failover')} the new master refused every write,"
                    " since it had no replica any more: then nobody is granted a lost lock, and"
                    " nobody any other.")
    few = [f"{behind(row)}, {SAFEGUARDS[row['safeguard']]}" for row in run.failovers
           if 0 < row["runs"] < LEAST_RUNS and row not in found]
    if few:
        said.append(f"Nothing was lost in fewer than {LEAST_RUNS} failovers, which says nothing:"
                    f" {'; '.join(few)}.")
    nothing = sum(row["nothing"] for row in run.failovers)
    if nothing:
        why = next(row["why_nothing"] for row in run.failovers if row["nothing"])
        said.append(f"Left out: {words.plural(nothing, 'failover')}; the first: {why}")
    return said
