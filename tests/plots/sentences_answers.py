"""Sentences that answer what people ask: by library."""

from sentences_data import Data

import fault_words
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

    def test_you_run_by_mode(self):
        self.assertEqual(you_run.verdict(TWO),
                         "Broken by using(): lost reply; acquire(): evicted key.")
        alike = [library(name, title, table_cell("lose_reply=1", "violated"))
                 for name, title in (("x", "made Lock"), ("x:asyncio", "made asyncio Lock"))]
        self.assertEqual(you_run.verdict(alike), "Broken by lost reply.")

    def test_the_verdict_of_what_is_no_news(self):
        lease = table_cell("pause=1", "violated", news=False)
        self.assertEqual(you_run.verdict([library("x", "x", lease)]), you_run.ONLY_LEASES)
        self.assertEqual(you_run.verdict([library("x", "x", table_cell("pause=1"))]),
                         you_run.NOTHING)

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

    def test_you_run_told(self):
        lines = [line.replace("\u00a0", " ") for line in you_run.told(TWO)]
        self.assertEqual(lines, [
            "using() broke under lost reply, which does not break every lease.",
            "acquire() broke under evicted key, which does not break every lease.",
            "Nothing was seen under no fault and crash. In each, something may still go wrong in up"
            " to 8.8 % of runs (95 %).",
            "using(): not known under server that hangs.",
            "As every lease, it broke under pause.",
            "Measured on 2026-11-27, version 1.2, in virtual time."])
        one = library("x", "x", table_cell("retry=1", "violated"), defects=[{}, {}])
        self.assertIn("2 defects are shown by scripts below, with nothing but the library and"
                      " redis-server.", you_run.told([one]))
        one["defects"].pop()
        self.assertIn("1 defect is shown by a script below", " ".join(you_run.told([one])))

    def test_you_run_measured(self):
        rows = [library("x", "x", table_cell("none"),
                        table_cell("crash=1", world="live", date="2026-11-28"))]
        self.assertEqual(you_run.measured(rows), "Measured on 2026-11-27 and 2026-11-28, version"
                         " 1.2, in virtual time and real time.")

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
