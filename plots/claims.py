"""What the articles claim, and what came of it: each claim once, judged by the article's own lock.

The claims are those of article_claims.json: `says` is the article's text, `means` its translation
and nothing else, `comment` is ours. `shown_by` and `refuted_by` name races, each with what they
come to (a key of races.SUMS) if the claim is true, or if it does not suffice; `wrong` is set where
nothing is left of it then.
"""

import json
from pathlib import Path

import words

FILE = Path(__file__).parent / "article_claims.json"
ARTICLES = {
    "000": "SETNX with a deadline; redis-objects in Ruby", "001": "Redis (七) 分布式锁",
    "002": "SETNX with GETSET, in Python", "003": "使用 Redis 实现锁",
    "004": "A lock with a watchdog, in Go"}
"""What the articles are called, or, where they have no title, about."""
TRUE, HALF, FALSE, OTHER, UNPLAYED = (
    "Borne out.", "Not enough.", "Wrong.", "Not as it says.", "Not played in this run.")


def known():
    return json.loads(FILE.read_text(encoding="utf-8"))["claims"]


def heading(article):
    """Article 001: Redis (七) 分布式锁."""
    return f"Article {article}" + (f": {ARTICLES[article]}" if article in ARTICLES else "")


def outcomes(run, claim, name):
    """What a race came to with the claim's own lock, in each world that it was played in."""
    return [(race, row) for race in run.races if race["name"] == name
            for row in race["outcomes"] if row["algorithm"] == claim["lock"]]


def found(run, claim, part):
    """[(race, whether it came to what is listed)] of the races that were played."""
    table = []
    for name, sums in claim[part]:
        rows = outcomes(run, claim, name)
        if rows:
            table.append((rows[0][0], all(row["sum"] in sums for _, row in rows)))
    return table


def verdict(run, claim):
    """One of the five."""
    shown, refuted = (found(run, claim, part) for part in ("shown_by", "refuted_by"))
    if not shown and not refuted or len(shown) < len(claim["shown_by"]):
        return UNPLAYED
    if not all(right for _, right in shown):
        return OTHER
    if any(right for _, right in refuted):
        return FALSE if claim.get("wrong") else HALF
    return TRUE


def races_of(run, claim):
    """The races that it was judged by, those first that decide."""
    parts = [*found(run, claim, "refuted_by"), *found(run, claim, "shown_by")]
    return [race for race, _ in sorted(parts, key=lambda part: not part[1])]


def seen(run, claim):
    """With `setnx_del`: B stuck for ever."""
    table = []
    for race in races_of(run, claim):
        row = next(row for _, row in outcomes(run, claim, race["name"]))
        table.append(row["observed"])
    return f"With `{claim['lock']}`: {'; or '.join(dict.fromkeys(table))}." if table else ""


def replay(run, claim):
    """The command of the race that decides, with the article's own lock."""
    first = races_of(run, claim)[:1]
    return outcomes(run, claim, first[0]["name"])[0][1]["replay"] if first else None


def by_article(run):
    """[(article, [claim])] of those whose lock is in the run, in the order of the articles."""
    names = {row["name"] for row in run.algorithms}
    table = {}
    for claim in known():
        if claim["lock"] in names and races_of(run, claim):
            table.setdefault(claim["article"], []).append(claim)
    return sorted(table.items())


def intro(run):
    """How many there are, and how many of each verdict."""
    said = [verdict(run, claim) for _, rows in by_article(run) for claim in rows]
    return (f"{words.plural(len(said), 'claim')} of the articles, each once, each played with the"
            f" article’s own lock: {tally(said)}.")


def tally(verdicts):
    """12 borne out, 3 not enough and 1 wrong."""
    parts = [f"{verdicts.count(which)} {word}" for which, word in (
        (TRUE, "borne out"), (HALF, "not enough"), (FALSE, "wrong"), (OTHER, "not as it says"),
        (UNPLAYED, "not played in this run")) if which in verdicts]
    return words.listing(parts)


