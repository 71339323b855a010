"""Sentences on what safety costs."""

from price_fixture import price as rows_of, row
from sentences_data import Data

import price
from figures import price as figure


class Price(Data):
    def of(self, *rows):
        return self.with_(price=list(rows))

    def test_price_servers(self):
        self.assertEqual([price.servers(one) for one in rows_of()["price"][3:6]],
                         ["5 Redis, a majority", "Redis and a replica", "its own"])
        self.assertEqual(price.servers(row(servers="masters:3")), "3 Redis, a majority")

    def test_price_name(self):
        self.assertEqual(price.name(row()), "`set_nx_lua`")
        self.assertEqual(price.name(row("redlock", "masters:3")), "`redlock (masters:3)`")

    def test_price_answer(self):
        self.assertEqual(
            price.answer(self.of(*rows_of()["price"])),
            "Nothing was seen to go wrong with `lib:etcd` and `lib:zookeeper`, in 227 grants or"
            " more of each: 30.0 to 45.0 grants per second. Up to 8.00 overlaps per 1,000 grants"
            " remain possible (95 %). Overlaps per 1,000 grants where there were any:"
            " `redlock (masters:5)` 25.0 (15.0–36.0), up to `wait_replicated` 41.0 (30.0–52.0)."
            " Stuck for ever in some runs: `setnx_del`.")
        self.assertEqual(price.answer(self.of(row(overlaps=(4.0, 2.0, 9.0)))),
                         "Under these faults something went wrong with every lock. Overlaps per"
                         " 1,000 grants where there were any: `set_nx_lua` 4.00 (2.00–9.00).")
        nothing = "Nothing was seen to go wrong with `set_nx_lua`, in"
        self.assertEqual(price.answer(self.of(row(speed=12.0))),
                         f"{nothing} 480 grants: 12.0 grants per second. Up to 8.00 overlaps per"
                         " 1,000 grants remain possible (95 %).")
        self.assertEqual(price.answer(self.of(row(grants=1, overlaps=(0, 0, None)))),
                         f"{nothing} 1 grant: 470 grants per second.")

    def test_price_why_not(self):
        """A row whose runs were all disturbed is not one of which nothing was seen."""
        self.assertEqual(price.why_not(row()), "")
        self.assertEqual(price.why_not(row(why_not="It is gone.")), "It is gone.")
        for part, key in (("calm", "grants"), ("struck", "grants"), ("struck", "runs")):
            empty = row()
            empty[part][key] = 0
            self.assertEqual(price.why_not(empty), "every run was disturbed, or granted nothing.")
            self.assertEqual(price.rows(self.of(empty)), [])
            self.assertEqual(price.notes(self.of(empty)), [
                "Not measured: `set_nx_lua`: every run was disturbed, or granted nothing."])

    def test_price_intro(self):
        self.assertIn("with a TTL of 1 s.", price.intro(self.of(row())))
        self.assertIn("one each of `slow_job` and `crash`,", price.intro(self.of(row())))
        other = row(ttl_us=500_000, faults="pause=1,freeze=1,crash=1")
        self.assertIn("with a TTL of 500 ms.", price.intro(self.of(other)))
        self.assertIn("one each of `pause`, `freeze` and `crash`,", price.intro(self.of(other)))

    def test_price_stuck(self):
        self.assertEqual(price.stuck(row(stuck=14)), "14 of 24 (58.3 %, 38.8–75.5)")
        self.assertEqual(price.stuck(row()), "0 of 24 (≤ 13.8 %)")

    def test_price_overlaps(self):
        self.assertEqual(price.overlaps(row()), "0 (≤ 8.00)")
        self.assertEqual(price.overlaps(row(overlaps=(0, 0, 138.0))), "0 (≤ 138)")
        self.assertEqual(price.overlaps(row(overlaps=(40.0, 30.0, 51.0))), "40.0 (30.0–51.0)")

    def test_price_table(self):
        found = price.table(self.of(*rows_of()["price"]))
        self.assertEqual(len(found), 8, "what was not measured has no row")
        self.assertEqual(found[1], ["2", "`set_nx_lua`", "one Redis", "470", "500\u00a0µs",
                                    "32.0\u00a0ms", "4.43", "40.0 (30.0–51.0)",
                                    "0 of 24 (≤ 13.8 %)"])
        self.assertEqual(found[5][:3] + [found[5][6]], ["6", "`lib:etcd` 3.7.3", "its own", "–"])

    def test_price_notes(self):
        first, *rest = price.notes(self.of(row()))
        self.assertEqual(rest, [])
        self.assertIn("Each speed is one pass of 600 grants, without an interval", first)
        other = row()
        other["calm"]["grants"] = 90
        self.assertIn("one pass of 90 grants", price.notes(self.of(other))[0])
        other["lock"] = "wait_replicated"
        self.assertEqual(price.notes(self.of(other))[1:], [
            "`wait_replicated` waits after its SET until a replica has it (WAIT)."])
        said = [text for text in price.notes(self.of(*rows_of()["price"]))[1:]
                if text not in price.WHAT_THEY_ARE.values()]
        self.assertIn("`fenced` lets others in", said[0])
        self.assertIn("servers that are not Redis", said[1])
        self.assertEqual(said[2:], ["Left out, because this machine was late: 3 runs.",
                                    "Not measured: `watchdog_owned`: no redis-server was found."])

    def test_figures_price_note(self):
        self.assertIn("those of the 8 rows", figure.note(self.of(*rows_of()["price"])))
        self.assertIn("those of the 1 row of", figure.note(self.of(row())))
