"""races.json for tests of plots/: two races made up in the form that the suite writes them."""

from html import escape

STYLE = """
.timeline { font: 12px sans-serif; }
.timeline .paper { fill: #ffffff; }
.timeline .paused { fill: url(#timeline-hatch); }
@media screen and (prefers-color-scheme: dark) {
.timeline .paper { fill: #15181c; }
}
"""


def svg(title, rows):
    """A picture: a lifeline, and a row of text for each (step, words)."""
    height = 100 + 20 * len(rows)
    drawn = "".join(
        f'<g class="row" data-step="{step}">\n<text class="words" x="90" y="{90 + 20 * i}">'
        f"{words}</text>\n</g>\n" for i, (step, words) in enumerate(rows))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="timeline" role="img"'
        f' aria-labelledby="timeline-title timeline-desc" width="894" height="{height}"'
        f' viewBox="0 0 894 {height}">\n<title id="timeline-title">{escape(title)}</title>\n'
        f'<desc id="timeline-desc">A sequence diagram.</desc>\n<style>{STYLE}</style>\n'
        '<defs><pattern id="timeline-hatch" width="7" height="7" patternUnits="userSpaceOnUse"'
        ' patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="7"/>'
        f'</pattern></defs>\n<rect class="paper" x="0" y="0" width="894" height="{height}"/>\n'
        f'<line class="life" x1="60" y1="70" x2="60" y2="{height - 20}"/>\n'
        '<g class="lifeline" data-step="1">\n'
        f'<rect class="edge c0" x="53" y="80" width="14" height="{height - 110}" rx="2"/>\n'
        f"</g>\n{drawn}</svg>\n")


def step(time, words, key, inside, *marks):
    kind = "gap" if not time else "stuck" if "stuck" in words else "command"
    return {"kind": kind, "time": time, "words": words, "key": key,
            "key_changed": bool(time), "inside": inside,
            "marks": [{"words": mark, "cause": "for a reason"} for mark in marks]}


def outcome(race, algorithm, total, observed, world="sim"):
    replay = f"./locklab scenario {race} --algorithm {algorithm}"
    return {"algorithm": algorithm, "world": world, "sum": total, "observed": observed,
            "ok": True, "replay": replay + (" --world live" if world == "live" else "")}


def race(name, title, algorithm, steps, outcomes, **more):
    numbered = [(i, escape(s["words"])) for i, s in enumerate(steps, 1)]
    return {"name": name, "title": title, "source": "000, 002", "says": "锁过期了",
            "means": "The lock expires.", "verdict_on_source": "", "sim_only": "",
            "algorithm": algorithm, "sum": outcomes[0]["sum"],
            "observed": outcomes[0]["observed"], "why": f"Why {name} goes wrong.",
            "fix": f"What fixes {name}.", "replay": outcomes[0]["replay"], "steps": steps,
            "svg": svg(title, numbered),
            "mermaid": f"sequenceDiagram\n    title {title}\n    participant c0 as A\n",
            "outcomes": outcomes, **more}


def races():
    """The object of races.json."""
    late, hung = "late_holder", "hung_worker"
    both = "A and B inside together"
    return {"races": [
        race(late, "The holder is late & its DEL frees another's lock", "set_nx_del", [
            step("0.000", "A: SET lock 1 NX EX 10 → OK, now inside", "1 of A, 10 s left", ["A"]),
            step("", "… 10 s pass …", "1 of A, 0 s left", ["A"]),
            step("14.000", "B: SET lock 1 NX EX 10 → OK, now inside", "1 of B, 10 s left",
                 ["A", "B"], "A and B are inside at once for 1 s"),
            step("15.000", "A leaves: DEL lock → 1, released", "none", ["B"],
                 "A deletes the key of B"),
        ], [outcome(late, "set_nx_del", "violated", both),
            outcome(late, "set_nx_lua", "foreign_key", "B's key extended by A"),
            outcome(late, "setnx_del", "harmless", "nothing goes wrong"),
            outcome(late, "set_nx_del", "violated", both, "live")]),
        race(hung, "The worker hangs", "watchdog_owned", [
            step("0.000", "A: SET lock <1> NX EX 10 → OK, now inside", "1 of A, 10 s left", ["A"]),
            step("40.000", "B is stuck", "1 of A, 10 s left", ["A"]),
        ], [outcome(hung, "watchdog_owned", "stuck", "B stuck for ever")],
            sim_only="a real server cannot do this"),
    ]}


def witness(algorithm, hazard, verdict, cause, steps):
    numbered = [(i, escape(s["words"])) for i, s in enumerate(steps, 1)]
    return {"algorithm": algorithm, "hazard": hazard, "verdict": verdict, "length": len(steps) + 3,
            "clients": 3, "cause": cause, "steps": steps, "svg": svg(f"{algorithm}", numbered),
            "replay": f"./locklab replay traces/explore.{algorithm}.{hazard}.json",
            "mermaid": f"sequenceDiagram\n    title {algorithm}\n    participant c0 as A\n"}


def witnesses():
    """The object of witnesses.json."""
    late = races()["races"][0]["steps"]
    return {"witnesses": [
        witness("set_nx_lua", "pause", "violated", "expired_while_held", late[:3]),
        witness("no_lock", "contention", "violated", "no_key", late[2:3]),
        witness("setnx_del", "crash", "stuck", "", [
            step("0.000", "A: SETNX lock 1 → 1, now inside", "1 of A", ["A"]),
            step("0.100", "A crashes; B is stuck", "1 of A", [])]),
    ]}
