"""Sentences on claims, libraries, races, searches and the run itself."""

import copy
from unittest import mock

from sentences_data import Data, alone, with_interval

import claims
import libraries
import load
import provenance
import races
import reaches
import report_fixture as fixture
import surface
import tokens
import witnesses


class Rest(Data):
    def test_claims_heading(self):
        self.assertEqual(claims.heading("001"), "Article 001: Redis (七) 分布式锁")
        self.assertEqual(claims.heading("007"), "Article 007")

    def claim(self, part, sums, **more):
        return {"article": "000", "lock": "set_nx_lua", "says": "s", "means": "m", "shown_by": [],
                "refuted_by": [], "comment": "", part: [["late_holder", sums]], **more}

    def test_claims_seen(self):
        # The fixture's race with this lock: another's key was extended.
        claim = self.claim("shown_by", ["foreign_key"])
        self.assertEqual(claims.seen(self.run_, claim), "With `set_nx_lua`: B's key extended by A.")
        self.assertEqual(claims.seen(self.run_, {**claim, "lock": "fenced"}), "")

    def test_claims_tally(self):
        self.assertEqual(claims.tally([claims.TRUE, claims.HALF, claims.TRUE, claims.FALSE]),
                         "2 borne out, 1 not enough and 1 wrong")

    def test_claims_intro(self):
        found = [self.claim("shown_by", ["foreign_key"]), self.claim("shown_by", ["harmless"]),
                 self.claim("refuted_by", ["foreign_key"]),
                 self.claim("refuted_by", ["foreign_key"], wrong=True),
                 self.claim("shown_by", ["foreign_key"], article="001")]
        found[1]["shown_by"].append(["no_such_race", ["stuck"]])
        with mock.patch.object(claims, "known", lambda: found):
            self.assertEqual(
                claims.intro(self.run_),
                "5 claims of the articles, each once, each played with the article’s own lock: 2"
                " borne out, 1 not enough, 1 wrong and 1 not played in this run.")

    def library(self, **more):
        return {"name": "x", "version": "1.2", "like": "set_nx_lua", "trouble": None,
                "not_searched": None, "scenarios": [], "searches": [], **more}

    def play(self, name, result, proved=0):
        return {"scenario": name, "result": result, "proved_overlaps": proved,
                "words": "differs from set_nx_lua: not seen"}

    def search(self, hazard, verdict, plays=40, grants=9):
        return {"hazard": hazard, "verdict": verdict, "plays": plays, "grants": grants,
                "trouble": None}

    def test_libraries_note(self):
        self.assertEqual(libraries.note(self.run_), libraries.NOTE)
        run = self.with_(libraries=[self.library(name="redsync",
                                                 searches=[self.search("pause", "violated")])])
        self.assertIn("Of these libraries, redsync ran as well", libraries.note(run))
        run.libraries[0]["cells"] = [{}]
        self.assertIn(f"1 of these {len(libraries.known())} rows were run", libraries.note(run))

    def test_libraries_faults(self):
        calm, pause = {"hazard": "contention"}, {"hazard": "pause"}
        self.assertEqual(libraries.faults([pause, {"hazard": "evict"}]),
                         "under `pause` and `evict`")
        self.assertEqual(libraries.faults([pause, calm]), "under `pause`, or without a fault")

    def test_libraries_proved(self):
        row = self.library(searches=[self.search("pause", "violated"),
                                     self.search("crash", "unknown"),
                                     self.search("evict", "unknown", grants=0)],
                           scenarios=[self.play("a", "as_expected", 1), self.play("b", "differs")])
        self.assertEqual(libraries.proved(row), [
            "An overlap was proved under `pause` by a search and in 1 scenario (`a`).",
            "In 40 plays each, searches proved none under `crash`; that is no proof that there is"
            " none."])
        self.assertEqual(libraries.proved(self.library())[0], "No overlap was proved.")

    def test_libraries_differs(self):
        row = self.library(scenarios=[self.play("a", "as_expected"), self.play("b", "differs"),
                                      self.play("c", "not_played"), self.play("d", "not_played")])
        self.assertEqual(libraries.differs(row),
                         ["Of 2 scenarios it differs from `set_nx_lua` in `b` (not seen).",
                          "2 could not be played on it."])
        row["scenarios"].pop(1)
        self.assertIn("Of 1 scenario it differs from `set_nx_lua` in none.", libraries.differs(row))

    def test_libraries_ran(self):
        item = {"name": "Redsync", "driver": "redsync"}
        self.assertEqual(libraries.ran(self.run_, item), "")
        run = self.with_(libraries=[self.library(name="redsync",
                                                 searches=[self.search("pause", "violated")])])
        self.assertTrue(libraries.ran(run, item).startswith("Redsync 1.2 itself was run. An"))
        run.libraries[0].update(cells=[{}], scenarios=[self.play("a", "differs")])
        self.assertTrue(libraries.ran(run, item).startswith("Redsync 1.2 itself was run. Of 1"))
        run.libraries[0]["scenarios"] = []
        self.assertEqual(libraries.ran(run, item), "")

    def test_libraries_of_every_lease(self):
        self.calm()
        self.assertEqual(libraries.of_every_lease(self.run_), "")
        for lock in self.run_.locks():
            self.broken(lock, "pause")
        self.assertEqual(libraries.of_every_lease(self.run_), "Every lease was broken by `pause`.")

    def test_provenance_machine(self):
        rows = dict(provenance.machine(self.run_))
        self.assertEqual((rows["memory"], rows["cores"], rows["took"]),
                         ("24,000 MiB", "2", "5 min 12 s"))
        self.run_.manifest["machine"]["memory_mib"] = 8
        self.assertEqual(dict(provenance.machine(self.run_))["memory"], "8 MiB")

    def test_provenance_parts(self):
        self.assertEqual(provenance.parts(self.run_), "")
        self.run_.manifest["took"] = [{"name": "sim", "seconds": 90, "processor_seconds": 150},
                                      {"name": "live", "seconds": 4, "processor_seconds": 3}]
        self.assertEqual(provenance.parts(self.run_), "sim 1 min 30 s (2 min 30 s of processors);"
                         " live 4.00 s (3.00 s of processors)")

    def test_provenance_other_builds(self):
        self.assertEqual(provenance.other_builds(self.run_), "")
        own = {"name": "sim", "seconds": 90, "processor_seconds": 150}
        old = {**own, "commit": "abc", "started": "2026-11-20T12:00:00Z"}
        self.run_.manifest["took"] = [own, {**old, "name": "live"}, {**old, "name": "bench"},
                                      {**old, "name": "surface", "commit": "def"}]
        self.assertEqual(provenance.other_builds(self.run_),
                         "`live` and `bench`: commit `abc`, `2026-11-20T12:00:00Z`;"
                         " `surface`: commit `def`, `2026-11-20T12:00:00Z`")

    def test_provenance_lacking(self):
        self.run_.manifest["missing"] = [{"part": "live runs", "why": "none."},
                                         {"part": "plays", "why": "none"},
                                         {"part": "bench", "why": "late"}]
        self.assertEqual(provenance.lacking(self.run_),
                         ["Missing: live runs, plays, because none.",
                          "Missing: bench, because late."])
        self.run_.manifest.update(missing=[], left_out=[{"name": "sim", "title": "the first"}])
        self.assertEqual(provenance.lacking(self.run_), ["Left out (--sections): the first. This"
                         " page says nothing about them."])

    def test_provenance_unfinished(self):
        self.run_.manifest.update(running=True, to_come=["a 1", "b 2"])
        self.assertEqual(provenance.unfinished(self.run_)[1],
                         "To come: a 1; b 2. Load this page again to see more.")
        self.run_.manifest.update(running=False, missing=[{"part": "p", "why": "w"}])
        self.assertEqual(provenance.unfinished(self.run_),
                         ("This run could not do all of its parts.", ""))

    def test_provenance_gaps_in_words(self):
        self.assertEqual(provenance.gaps_in_words(self.run_), "")
        self.run_.manifest["complete"] = False
        del self.run_.cells["sim", "fenced", "crash"]
        del self.run_.cells["live", "fenced", "crash"]
        del self.run_.cells["live", "fenced", "pause"]
        possible = {w: len(self.run_.algorithms) * sum(
            h["live"] or w == "sim" for h in self.run_.hazards) for w in load.WORLDS}
        self.assertEqual(provenance.gaps_in_words(self.run_),
                         f"; 1 of {possible['sim']} cells are missing from the simulator, 2 of"
                         f" {possible['live']} cells are missing from the real Redis")

    def test_provenance_untested(self):
        self.calm()
        said = provenance.untested(self.run_)
        n = sum(w == "live" and c["verdict"] == "not_applicable"
                for (w, *_), c in self.run_.cells.items())
        self.assertIn(f"{n} cells of the real Redis are not applicable.", said)
        self.assertIn("Random runs on a real Redis cannot make `server_clock_jump`,"
                      " `restart_snapshot`, `evict` and `freeze`: their columns come from the"
                      " simulator alone.", said)
        self.assertFalse([line for line in said if "unknown" in line])
        self.cell("fenced", "crash")["verdict"] = "unknown"
        self.assertIn("1 cell of the simulator stayed unknown: a bound was hit first.",
                      provenance.untested(self.run_))
        for key in [key for key in self.run_.cells if key[0] == "live"]:
            del self.run_.cells[key]
        self.assertIn("The campaigns of the matrix were not run on a real Redis.",
                      provenance.untested(self.run_))
        self.run_.manifest["left_out"] = [{"name": "bench", "title": "what each lock costs"}]
        self.assertIn("The part “what each lock costs” was left out.",
                      provenance.untested(self.run_))

    def test_races_of_oracle(self):
        self.assertIsNone(races.of_oracle(self.run_))
        race = copy.deepcopy(self.run_.races[0])
        race["outcomes"][0]["algorithm"] = "perfect_lock"
        self.assertTrue(races.of_oracle(self.with_(races=[race])).startswith(
            "`perfect_lock` is marked, too"))
        race["outcomes"][0]["sum"] = "harmless"
        self.assertIsNone(races.of_oracle(self.with_(races=[race])), "it is not marked")

    def test_races_matrix_md(self):
        race = copy.deepcopy(self.run_.races[0])
        names = [row["algorithm"] for row in race["outcomes"]]
        lines = races.matrix_md(self.with_(races=[race])).split("\n")
        heads = [name for name in self.run_.locks() + ["no_lock", "perfect_lock"]
                 if name in names]
        self.assertEqual(set(lines[0].strip("| ").split(" | ")),
                         {"race", *(f"`{name}`" for name in heads)})
        self.assertTrue(lines[2].startswith(f"| {race['title']} | "), lines[2])
        self.assertEqual(len(lines), 3)

    def test_races_intro(self):
        self.assertTrue(races.intro(self.run_).startswith("2 races that the articles"))
        self.assertIn(" 4 plays in the simulator, 1 on a real Redis. All came out as expected.",
                      races.intro(self.run_))
        race = copy.deepcopy(self.run_.races[0])
        race["outcomes"][0]["ok"] = race["outcomes"][3]["ok"] = False
        said = races.intro(self.with_(races=[race]))
        self.assertIn("1 race that", said)
        self.assertIn(" 3 plays in the simulator, 1 on a real Redis. 2 of them did not come out",
                      said)

    def test_reaches_bounds(self):
        self.assertEqual(reaches.bounds({"clients": 3, "rounds": 1}), "3\u00a0clients")
        self.assertEqual(reaches.bounds({"clients": 2, "rounds": 2}),
                         "2\u00a0clients in 2\u00a0rounds")

    def test_surface_jobs_words(self):
        self.assertEqual(surface.jobs_words(400_000), "jobs of 0 to 400\u00a0ms")

    def point(self, ttl, pause, erased, lock="fenced", job=400_000, runs=50, grants=2000):
        return {"algorithm": lock, "ttl_us": ttl, "pause_length_us": pause, "longest_job_us": job,
                "pause_every_us": 5_000_000 if pause else 0, "clients": 5, "runs": runs,
                "grants": grants, "verdict": "holds", "overlaps": erased, "writes": 2000,
                "erased_writes": erased, "replay": "./locklab x",
                "erased_per_1000_writes": with_interval(erased / 2, erased / 4, erased)}

    def test_surface_intro(self):
        run = self.with_(surface=[self.point(1, 2_000_000, 0, grants=1999), self.point(1, 0, 0)])
        said = surface.intro(run)
        self.assertIn("5 clients in the simulator", said)
        self.assertIn("in jobs of 0 to 400\u00a0ms: read", said)
        self.assertIn("Every 5 s one of them", said)
        self.assertIn("rests on 1,999 grants or more", said)

    def test_surface_blame(self):
        def said(*points):
            return surface.blame(self.with_(surface=list(points)))
        self.assertEqual(said(self.point(500_000, 0, 0)), "With jobs of 0 to 400\u00a0ms nothing is"
                         " lost without pauses: every loss there is the pauses’ doing.")
        self.assertIn("writes are lost at TTLs of 200 ms and 300 ms: there",
                      said(self.point(200_000, 0, 3), self.point(300_000, 0, 1),
                           self.point(500_000, 0, 0)))
        self.assertIn("some outlast the smaller TTLs", said(self.point(200_000, 1_000_000, 3)))

    def test_surface_alike(self):
        points = [self.point(1, 1, 7), self.point(1, 1, 7, "set_nx_lua"),
                  self.point(1, 1, 8, "set_nx_del")]
        self.assertTrue(surface.alike(self.with_(surface=points)).startswith(
            "`set_nx_lua` and `fenced` show the same numbers everywhere."))
        others = [{**point, "replay": f"--seed {i}"} for i, point in enumerate(points)]
        self.assertEqual(surface.alike(self.with_(surface=others)), "", "two experiments")
        points[0]["erased_writes"] = 9
        self.assertEqual(surface.alike(self.with_(surface=points)), "")

    def test_surface_seeds(self):
        def said(*seeds):
            return surface.seeds(self.with_(surface=[
                {**self.point(1, 1, 7), "replay": f"./locklab x{seed}"} for seed in seeds]))
        self.assertIn("All squares have seed 3:", said(" --seed 3", " --seed 3"))
        self.assertTrue(said(" --seed 3", " --seed 12").startswith(
            "Each square has a seed of its own, 3 to 12:"))
        self.assertTrue(said(" --seed 3", " --seed 4", " --seed 4").startswith(
            "The squares have seeds, 3 to 4:"))
        self.assertEqual(said(""), "")

    def test_surface_squares(self):
        run = self.with_(surface=[self.point(2_000_000, 1_000_000, 60),
                                  self.point(2_000_000, 0, 0)])
        table = surface.squares(run, 400_000)
        self.assertEqual(table.title, "In numbers: writes erased, in percent (95 % interval), jobs"
                         " of 0 to 400\u00a0ms")
        self.assertEqual(table.heads, ["Pause", "TTL\n2 s"])
        self.assertEqual(table.groups, [("fenced", [["1 s", "3.00\n(1.50–6.00)"],
                                                    ["none", "0"]])])

    def test_surface_beside_jepsen(self):
        points = [self.point(2_000_000, 1_000_000, 60), self.point(2_000_000, 0, 0),
                  self.point(2_000_000, 1_000_000, 60, job=100_000, runs=3)]
        table = surface.beside_jepsen(self.with_(surface=points))
        self.assertEqual(table.title, "Writes erased at a TTL of 2 s, jobs of 0 to 400\u00a0ms, in"
                         " percent (95 % interval)")
        self.assertEqual(table.heads, ["lock", "no\npauses", "pauses of\n1 s"])
        self.assertEqual(table.groups[0][1], [["fenced", "0", "3.00 (1.50–6.00)"]])
        # Wilson's upper end of none in 50, of two sides: 3.84 of 53.84.
        self.assertIn("0 means: in none of 50 runs, so at 95 % in at most 7.13 % of runs.",
                      table.caption)
        self.assertNotIn("is a bootstrap’s", table.caption)

    def test_tokens_sentence(self):
        self.calm()
        self.assertIsNone(tokens.sentence(self.run_))
        self.cell("fenced", "pause").update(verdict="violated", overlaps=3)
        self.assertIn("at once under `pause` with `fenced`, too, but the resource refused the older"
                      " one and lost no update.", tokens.sentence(self.run_))
        self.cell("fenced", "restart").update(verdict="violated", overlaps=3, lost_updates=1)
        self.assertIn("It lost updates under `restart`, where Redis forgets",
                      tokens.sentence(self.run_))
        self.cell("fenced", "slow_job").update(verdict="violated", overlaps=3, lost_updates=1)
        self.assertTrue(tokens.sentence(self.run_).endswith(
            "It lost updates under `slow_job` and `restart`."))
        # The model takes the key alone; that nothing was lost says little of a real Redis.
        self.cell("fenced", "evict").update(verdict="violated", overlaps=3)
        evict = next(h for h in self.run_.hazards if h["name"] == "evict")
        with mock.patch.dict(evict, meaning="Redis evicts the lock's key for want of memory"):
            self.assertIn("never the counter", tokens.sentence(self.run_))
        with mock.patch.dict(evict, meaning="Redis evicts a key of the lock"):
            self.assertNotIn("never the counter", tokens.sentence(self.run_))

    def test_tokens_of_a_counter_that_went_back(self):
        self.calm()
        self.cell("fenced", "pause").update(verdict="violated", overlaps=3, denied=1)
        self.cell("fenced", "evict").update(verdict="violated", overlaps=3, denied=6)
        self.assertEqual(tokens.safe_hazards(self.run_), ["pause", "evict"])
        self.cell("fenced", "evict").update(denied=7)
        self.assertEqual(tokens.safe_hazards(self.run_), ["pause"])
        self.assertIn("Under `evict` it lost none, but Redis may forget the counter there too",
                      tokens.sentence(self.run_))
        self.cell("fenced", "evict").update(lost_updates=1)
        self.assertNotIn("it lost none", tokens.sentence(self.run_))

    def test_tokens_refused_rightful(self):
        self.calm()
        self.assertEqual(tokens.refused_rightful(self.run_), "")
        self.cell("fenced", "pause").update(verdict="violated", overlaps=7, denied=70)
        restart = self.cell("fenced", "restart")
        restart.update(verdict="violated", overlaps=7, denied=14)
        self.assertEqual(tokens.refused_rightful(self.run_), "")
        restart.update(denied=15)
        self.assertTrue(tokens.refused_rightful(self.run_).startswith(
            "Under `restart` far more was refused than overlapped: the counter began again"))

    def test_witnesses_title(self):
        row = {"hazard": "pause", "verdict": "violated", "length": 7, "clients": 2,
               "cause": "expired_while_held", "steps": [1, 2, 3, 4]}
        self.assertEqual(witnesses.title(row),
                         "one `pause`: violated in 7 steps (expired while held)")
        self.assertEqual(witnesses.title({**row, "hazard": "contention", "cause": "", "length": 1}),
                         "no fault at all: violated in 1 step")

    def test_witnesses_bounds(self):
        row = {"length": 7, "clients": 2, "steps": [1, 2, 3, 4]}
        self.assertEqual(witnesses.bounds(row), "Found by searching every schedule of 2 clients;"
                         " none within its bounds has fewer than 7 steps. Below they are told in 4"
                         " lines.")
        self.assertTrue(witnesses.bounds({**row, "length": 4}).endswith("fewer than 4 steps."))
