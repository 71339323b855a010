"""What the articles claim: each sentence that a scenario quotes, what was seen when it was played,
and where to see it."""

import load


ARTICLES = {
    "000": "SETNX with a deadline; redis-objects in Ruby", "001": "Redis (七) 分布式锁",
    "002": "SETNX with GETSET, in Python", "003": "使用 Redis 实现锁",
    "004": "A lock with a watchdog, in Go"}
"""What the articles are called, or, where they have no title, about."""


def heading(article):
    """Article 001: Redis (七) 分布式锁."""
    return f"Article {article}" + (f": {ARTICLES[article]}" if article in ARTICLES else "")


def article_of(race):
    """The first article that says it; None for a race that no article describes."""
    first = race["source"].split(",")[0].strip()
    return first if race["says"] and first.isdigit() else None


def by_article(run):
    """[(article, [race])], in the order of the articles' numbers."""
    table = {}
    for race in run.races:
        if (article := article_of(race)) is not None:
            table.setdefault(article, []).append(race)
    return sorted(table.items())


def as_expected(race):
    """Whether each lock made of the race what the scenario's file expects, in both worlds."""
    return all(row["ok"] for row in race["outcomes"])


def verdict(race):
    """(in brief, the rest) of what is to be said of the sentence."""
    if not as_expected(race):
        return "Not as expected.", "What was played differs from what the scenario's file says."
    if not race["verdict_on_source"]:
        return "Borne out.", ""
    brief, _, rest = race["verdict_on_source"].partition(". ")
    return (brief + "." if rest else brief), rest


def intro(run):
    found = [race for _, rows in by_article(run) for race in rows]
    borne = sum(verdict(race)[0] == "Borne out." for race in found)
    return (f"{len(found)} sentences of the articles, each played. {borne} are borne out: what the"
            " article describes was seen as it says. The others come with what they leave out.")


def shown(race):
    """The play to look at: the race's own, unless that is of a control, which proves no claim."""
    rows = [row for row in race["outcomes"]
            if row["world"] == "sim" and row["algorithm"] not in load.CONTROLS]
    return race if race["algorithm"] not in load.CONTROLS or not rows else rows[0]


def seen(race):
    """What came of that play, as one sentence."""
    return f"With `{shown(race)['algorithm']}`: {shown(race)['observed']}."


def witness(race):
    return shown(race)["replay"]
