"""Sentences that answer what people ask: by library, and by question."""

from sentences_data import Data, contended, with_interval

import fault_words
import libraries
import provenance
import questions
import tokens
import you_run


def table_cell(faults, verdict="holds", **more):
    return {"faults": faults, "world": "virtual", "verdict": verdict, "date": "2026-11-27",
            "news": verdict == "violated", "runs": 100, "goes_wrong_at_most": 0.037, **more}


def library(name, title, *cells, **more):
    return {"name": name, "library": title, "version": "1.2", "cells": list(cells), **more}


TWO = (library("x", "made using()", table_cell("none"), table_cell("lose_reply=1", "violated"),
               table_cell("pause=1", "violated", news=False), table_cell("crash=1"),
               table_cell("freeze=1", "unknown")),
       library("x:acquire", "made acquire()", table_cell("none"), table_cell("lose_reply=1"),
               table_cell("crash=1", goes_wrong_at_most=0.0876),
               table_cell("evict=1", "violated")))


class YouRun(Data):
    def test_fault_words_of_set(self):
        self.assertEqual(fault_words.of_set("delay_reply=1,retry=1"),
                         "late reply + command sent twice")
        self.assertEqual(fault_words.of_set("a_new_one=1"), "a new one")

    def test_fault_words_listed(self):
        self.assertEqual(fault_words.listed(["lose_reply=1", "pause=1"]), "lost reply and pause")

    def test_you_run_by_mode(self):
        self.assertEqual(you_run.verdict(TWO),
                         "Broken by `using()`: lost reply; `acquire()`: evicted key.")
        alike = [library(name, title, table_cell("lose_reply=1", "violated"))
                 for name, title in (("x", "made Lock"), ("x:asyncio", "made asyncio Lock"))]
        self.assertEqual(you_run.verdict(alike), "Broken by lost reply.")

    def test_the_verdict_of_what_is_no_news(self):
        lease = table_cell("pause=1", "violated", news=False)
        self.assertEqual(you_run.verdict([library("x", "x", lease)]), you_run.ONLY_LEASES)
        self.assertEqual(you_run.verdict([library("x", "x", table_cell("pause=1"))]),
                         you_run.NOTHING)
        self.assertEqual(you_run.verdict([library("x", "x", table_cell("pause=1", "unknown"))]),
                         you_run.NO_VERDICT)
        stuck = table_cell("retry=1", "stuck", news=True)
        self.assertEqual(you_run.verdict([library("x", "x", stuck)]),
                         "Broken by command sent twice (stuck for ever).")

    def test_you_run_counted(self):
        self.assertEqual(you_run.counted(["none", "crash=1"]), "1 fault")
        self.assertEqual(you_run.counted(["crash=1", "crash=1,retry=1"]), "2 faults and pairs")

    def test_you_run_left_open(self):
        self.assertEqual(you_run.left_open(TWO).replace("\u00a0", " "), (
            "Nothing seen under 1 fault, up to 8.8 % each. Not known under server that hangs."))
        self.assertEqual(you_run.left_open(TWO[:1]).replace("\u00a0", " "), (
            "Nothing seen under 1 fault, up to 3.7 % each. Not known under server that hangs."))
        self.assertEqual(
            you_run.left_open([library("x", "x", table_cell("retry=1", "violated"))]), "")
        many = [table_cell(f"{name}=1", "unknown") for name in
                ("crash", "pause", "retry", "evict", "reset", "flush")]
        self.assertEqual(you_run.left_open([library("x", "x", *many)]),
                         "Not known under 6 faults.")
        self.assertNotIn("6 faults", you_run.left_open([library("x", "x", *many[:5])]))

    def test_you_run_told(self):
        lines = [line.replace("\u00a0", " ") for line in you_run.told(TWO)]
        self.assertEqual(lines, [
            "`using()` broke under lost reply, which a lease can survive.",
            "`acquire()` broke under evicted key, which a lease can survive.",
            "Nothing was seen under no fault and crash. In each, something may still go wrong in up"
            " to 8.8 % of runs (95 %).",
            "`using()`: not known under server that hangs.",
            "As any lease does, it broke under pause.",
            "Measured on 2026-11-27, version 1.2, in virtual time."])
        one = library("x", "x", table_cell("retry=1", "violated"),
                      defects=[{"what": "It errs. More."}, {"what": "It waits."}])
        self.assertEqual([line.partition("script: ")[2] for line in you_run.told([one])][-3:-1],
                         ["It errs.", "It waits."])

    def test_you_run_measured(self):
        rows = [library("x", "x", table_cell("none"),
                        table_cell("crash=1", world="live", date="2026-11-28"))]
        self.assertEqual(you_run.measured(rows), "Measured on 2026-11-27 and 2026-11-28, version"
                         " 1.2, in virtual time and real time.")

    def test_a_mode_is_what_its_title_adds(self):
        rows = [library(*names) for names in (("x", "made Lock"), ("x:more", "made Lock, more"))]
        self.assertEqual(you_run.title(rows), "made Lock")
        self.assertEqual([you_run.mode(rows, row) for row in rows], ["default", "more"])
        self.assertEqual(you_run.mode(rows[1:], rows[1]), "made Lock, more")
        rows[0]["library"] = "other"
        self.assertEqual(you_run.title(rows), "other")
        self.assertEqual(you_run.mode(rows, rows[1]), "made Lock, more")

    def test_you_run_stubs(self):
        rows = [library("redis-lock", "redis-lock", table_cell("none"))]
        rows[0]["version"] = libraries.manifest("redis-lock")["version"]
        self.assertEqual(you_run.stubs(rows), [
            "Not wholly as it comes: the driver replaces that it asks for its lock for ever: its"
            " client stops once a server has said no and wait_ms is over."])
        self.assertIn(you_run.stubs(rows)[0], you_run.told(rows))
        rows[0]["version"] = "another"
        self.assertEqual(you_run.stubs(rows), [])
        self.assertEqual(you_run.stubs(TWO), [])

    def test_you_run_intro(self):
        run = self.with_(libraries=[*TWO, library("y", "other", table_cell("none"))])
        self.assertTrue(you_run.intro(run).startswith("2 libraries in 3 modes were run as they"))
        run = self.with_(libraries=[TWO[0]])
        self.assertTrue(you_run.intro(run).startswith("1 library in 1 mode were run"))

    def test_lines_stand_by_title_and_have_the_settings_of_their_folder(self):
        rows = [library(name, title, table_cell("none"), language="any") for name, title in (
            ("redsync", "redsync"), ("node-redlock", "redlock using()"),
            ("node-redlock:acquire", "redlock acquire()"), ("medusajs-locking-redis", "@m/x"))]
        run = self.with_(libraries=rows)
        lines = you_run.lines(run)
        self.assertEqual([line.title for line in lines], ["@m/x", "redlock", "redsync"])
        self.assertEqual(lines[1].modes, [("using()", "ran-2"), ("acquire()", "ran-3")])
        self.assertIn("commandTimeout", dict(lines[1].settings))
        self.assertIn("ContextTimeoutEnabled", dict(lines[2].settings))
        self.assertIn("RedLock.net", you_run.not_run(run))
        self.assertNotIn("redsync", you_run.not_run(run))


class Questions(Data):
    def test_questions_stuck(self):
        self.calm()
        for lock in ("fenced", "set_nx_del"):
            self.broken(lock, "crash", stuck=1)
        said = questions.stuck(self.run_, "crash")
        self.assertEqual((said["stuck"], said["locks"]), ("2", "`set_nx_del` and `fenced`"))

    def test_questions_reentrant(self):
        self.assertEqual(questions.reentrant(self.run_, None), {"locks": "`reentrant_watchdog`"})

    """Each fact, on data in which it would be another."""

    def said(self, question, run=None):
        return questions.answer(run or self.run_, next(
            one for one in questions.data()["questions"] if one["id"] == question))

    def with_cells(self, *cells):
        return self.with_(libraries=[library("x", "x", *cells, language="any")])

    def test_questions_sentence(self):
        said = {"fact": "hazard", "of": "pause", "text": "{broken} of {faced} broke.",
                "else": "No."}
        self.calm()
        leases = len(self.run_.locks()) - 1
        self.assertEqual(questions.sentence(self.run_, said), f"0 of {leases} broke.")
        self.broken("set_nx_lua", "pause")
        self.assertEqual(questions.sentence(self.run_, said), f"1 of {leases} broke.")
        self.broken("setnx_del", "pause")  # it has no lease
        self.assertEqual(questions.sentence(self.run_, said), f"1 of {leases} broke.")
        self.assertEqual(questions.sentence(self.with_(cells={}), said), "No.")
        self.assertEqual(questions.sentence(self.run_, "As it is: {3}."), "As it is: {3}.")

    def test_modes_that_are_not_known_do_not_count(self):
        run = self.with_cells(table_cell("freeze=1", "violated"), table_cell("failover=1"))
        self.assertIn("1 of 1 modes of libraries let two", self.said("down", run))
        self.assertIn("0 of 1 modes broke so", self.said("failover", run))
        run = self.with_cells(table_cell("freeze=1", "unknown"))
        self.assertIn("No library was run against a server that hangs", self.said("down", run))

    def test_oracles_are_summed_over_all_cells(self):
        cells = [table_cell(faults, oracles={"never_told": {"found": found, "of": 1200},
                                             "keys_left": {"found": 0, "of": 0}})
                 for faults, found in (("none", 0), ("pause=1", 7))]
        self.assertIn("Of 2,400 times that a holder of a library lost the lock while inside, 7"
                      " were never told.", self.said("told", self.with_cells(*cells)))
        self.assertIn("was not counted in this run", self.said("quorum", self.with_cells(*cells)))
        self.assertIn("was not counted in this run", self.said("told"))

    def test_what_a_cancelled_call_leaves_is_counted_where_calls_were_cancelled(self):
        cells = [table_cell(faults, oracles={"keys_left": {"found": found, "of": 1500}})
                 for faults, found in (("none", 1), ("cancel=1", 7), ("delay_reply=1,cancel=1", 9))]
        self.assertIn("Of 1,500 tries of libraries that were cancelled, or failed beside such a"
                      " one, 7 left a key", self.said("cancelled", self.with_cells(*cells)))
        self.assertIn("No call was cancelled", self.said("cancelled", self.with_cells(cells[0])))

    def test_causes_are_those_of_the_locks_under_test(self):
        self.calm()
        for cell in self.run_.cells.values():
            cell["causes"] = {}
        self.assertIn("No overlap was seen", self.said("twice"))
        self.cell("set_nx_lua", "pause")["causes"] = {"expired_while_held": 2, "clock": 3}
        self.cell("no_lock", "pause")["causes"] = {"no_key": 900}
        self.assertIn("in this run: clock, in 3 of 5 violations", self.said("twice"))
        self.assertIn("Of 5 violations in this run, 2 began so", self.said("not-owned"))
        self.cell("set_nx_lua", "pause")["causes"] = {"shared_object": 4}
        self.assertIn("No violation of this run began so.", self.said("not-owned"))
        self.assertIn("4 of 4 violations came from a shared object", self.said("threads"))

    def test_who_is_stuck_and_who_waits(self):
        self.calm()
        self.assertIn("No lock stayed taken for ever", self.said("crash"))
        self.broken("setnx_del", "crash", stuck=3)
        count = len(self.run_.locks())
        self.assertIn(f"1 of {count} locks stayed taken for ever in this run (`setnx_del`)",
                      self.said("crash"))
        self.assertIn("No lock made clients wait", self.said("cancelled"))
        self.cell("set_nx_lua", "lose_reply")["stuck_until_ttl"] = 9
        self.assertIn(f"1 of {count - 1} locks made clients wait", self.said("cancelled"))

    def test_under_how_much_a_lock_held(self):
        self.calm()
        cells = [c for c in self.run_.row("sim", "set_nx_del") if c["verdict"] == "holds"]
        self.broken("set_nx_del", "retry")
        self.assertIn(f"held under {len(cells) - 1} of the {len(cells)} faults", self.said("eval"))
        self.assertIn("Redlock as its page has it was not run here", self.said("redlock"))

    def test_fairness_tokens_ttl_server(self):
        rows = [contended("set_nx_lua", 100), contended("fenced", 100), contended("no_lock", 9)]
        for row, jain in zip(rows, (0.91, 0.84, 0.2)):
            row["figures"]["jain"] = with_interval(jain)
        self.assertIn("was `fenced`, with a Jain index of 0.84",
                      self.said("fairness", self.measured(rows)))
        self.assertIn("Fairness was not measured", self.said("fairness", self.measured([])))
        self.assertIn("were Redis 7.0.15.", self.said("valkey"))
        self.run_.manifest["redis"] = None
        self.assertIn("is not recorded", self.said("valkey"))
        self.assertIn(tokens.sentence(self.run_), self.said("fencing"))
        for row in self.run_.algorithms:
            row.update(fences=False, reentrant=False)
        self.assertIn("No lock with fencing tokens", self.said("fencing"))
        self.assertIn("No lock of this run is re-entrant", self.said("reentrant"))

    def test_links_lead_only_to_what_is_there(self):
        self.assertIsNone(questions.link(self.run_, "library:redisson"))
        self.assertIsNone(questions.link(self.run_, "section:you-run"))
        run = self.with_cells(table_cell("none"))
        self.assertEqual(questions.link(run, "library:x"), ("#run-x", "x"))
        self.assertEqual(questions.link(run, "section:you-run"), ("#you-run", "the libraries"))
        self.assertEqual(questions.link(run, "cell:set_nx_lua/pause")[1], "set_nx_lua, pause")
        self.assertIsNone(questions.link(run, "cell:set_nx_lua/no_such"))
        self.assertIsNone(questions.link(self.with_(races=[]), "race:hung_worker"))


class Advised(Data):
    def test_a_library_that_broke_is_not_said_to_work_like_a_lock(self):
        rows = [library("rueidislock", "r", table_cell("retry=1", "violated")),
                library("redis-semaphore", "s", table_cell("retry=1"))]
        named = libraries.work_like(self.with_(libraries=rows), "watchdog_owned")
        self.assertNotIn("rueidislock", named)
        self.assertIn("redis-semaphore Mutex", named)
        self.assertIn("rueidislock", libraries.work_like(self.run_, "watchdog_owned"))

    def test_redlock_is_not_said_to_be_untested_where_it_was_run(self):
        never = provenance.NEVER[0]
        self.assertIn("Redlock", never)
        self.assertIn(never, provenance.untested(self.run_))
        self.run_.algorithms.append({**self.run_.algorithms[-2], "name": "redlock"})
        self.assertNotIn(never, provenance.untested(self.run_))
