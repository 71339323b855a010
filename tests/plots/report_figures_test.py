"""What the figures draw: marks, labels, scales and panels, on data where they would be others."""

import unittest

from matplotlib.backends.backend_agg import FigureCanvasAgg
from report_cost_test import Cost, rows_of
from report_test import ROOT

import load
import report_fixture as fixture
import style
import surface
from figures import plane, throughput
from figures import surface as short


class Drawn(Cost):
    def setUp(self):
        super().setUp()
        style.prepare()

    def test_locks_that_plane_cannot_tell_apart_share_a_panel(self):
        data = fixture.bench()
        run = self.run_of(data)
        alike = [name for name in run.locks() if name != "setnx_del"]
        self.assertEqual(plane.groups(run), [["setnx_del"], alike])
        row = rows_of(data, "sim/plane", lock="set_nx_lua", ttl="1s")[0]
        row["figures"]["overlaps_per_1000"] = fixture.around(300)
        run = self.run_of(data)
        self.assertIn(["set_nx_lua"], plane.groups(run))
        self.assertEqual(len(plane.draw(run, style.WIDE).axes), 3)

    def test_labels_of_plane_are_not_struck_through(self):
        """No label meets the curve or an interval of its panel's locks, nor leaves the figure."""
        run = load.load_run(ROOT / "results" / "reference")
        for width in (style.WIDE, style.NARROW):
            figure = plane.draw(run, width)
            renderer = FigureCanvasAgg(figure).get_renderer()
            for axis in figure.axes:
                own = [line for line in axis.lines if line.get_marker() == "o"]
                paths = [line.get_transform().transform_path(line.get_path()) for line in own]
                paths += [axis.transData.transform_path(path) for bars in axis.collections
                          for path in bars.get_paths()]
                for text in axis.texts:
                    box = text.get_window_extent(renderer)
                    self.assertFalse(any(path.intersects_bbox(box, filled=False)
                                         for path in paths),
                                     (width, axis.get_title(loc="left"), text.get_text()))
                    self.assertLess(box.x1, figure.bbox.x1)

    def test_throughput_fills_what_is_resolved(self):
        data = fixture.bench()
        for row, ratio in zip(rows_of(data, "live/distinct", lock="set_nx_lua"),
                              ((0.8, 0.7, 0.9), (0.9, 0.7, 1.1))):
            row["figures"]["ratio_to_floor"] = dict(zip(("value", "low", "high"), ratio))
        run = self.run_of(data)
        own, _ = throughput.draw(run, style.WIDE).axes
        at = [label.get_text() for label in own.get_yticklabels()].index("set_nx_lua")
        marks = [line for line in own.lines if line.get_marker() in tuple(throughput.MARKS)
                 and round(line.get_ydata()[0]) == at]
        self.assertEqual([(line.get_xdata()[0], line.get_markerfacecolor() != "none")
                          for line in marks], [(0.8, True), (0.9, False)])

    def test_the_scale_ends_where_the_data_end(self):
        run = self.run_of(fixture.bench())
        self.assertEqual(short.most(run, 400_000), 15)
        self.assertEqual(short.scale(15), [0, 2, 5, 10, 15])
        self.assertEqual(short.scale(0.4), [0, 0.1, 0.2, 0.4])
        self.assertEqual(short.scale(0), [0])
        self.assertEqual(short.strength(15, 15), short.strength(40, 40))
        self.assertGreater(short.strength(15, 15), short.strength(10, 15))
        shown = [text.get_text() for axis in short.draw(run, style.WIDE).axes[-1:]
                 for text in axis.texts]
        self.assertEqual(shown, [short.label(step) for step in short.scale(15)])

    def test_squares_have_their_intervals(self):
        run = self.run_of(fixture.bench())
        row = next(r for r in run.surface if r["erased_writes"] and r["ttl_us"])
        low, high = (row["erased_per_1000_writes"][end] / 10 for end in ("low", "high"))
        self.assertEqual(short.interval(row), f"{low:.0f}–{high:.0f}")
        for width, there in ((style.WIDE, True), (style.NARROW, False)):
            shown = {text.get_text() for axis in short.draw(run, width).axes
                     for text in axis.texts}
            self.assertEqual(short.interval(row) in shown, there)
        for longest in surface.kinds(run):
            table = surface.squares(run, longest)
            self.assertEqual([lock for lock, _ in table.groups], surface.swept(run, longest))
            self.assertEqual(len(table.groups[0][1]), 3)


if __name__ == "__main__":
    unittest.main()
