"""Each sentence of the page that works out a count, a list or a superlative has a test of its name,
on data where another one would be right: a sentence without one fails here, and so does a test that
would pass if the sentence had other numbers and names.
"""

import contextlib
import importlib
import io
import re
import unittest
from unittest import mock

from report_test import ROOT

import sentences
from sentences_answer import Advice, Answer
from sentences_answers import Advised, Questions, YouRun
from sentences_cost import Cost, Figures
from sentences_failovers import Failovers
from sentences_lists import Lists
from sentences_price import Price
from sentences_rest import Rest
from sentences_table import LibraryTable
from sentences_thresholds import Thresholds
from sentences_worlds import Agreement, Cells, Declared

CASES = (Advice, Answer, Declared, Agreement, Cost, Figures, Cells, Rest, LibraryTable,
         Lists, Thresholds, YouRun, Questions, Advised, Failovers, Price)


WORKED_OUT = r"\|\s*(length|sum|max|min|count)\b|[-+*/] *\d|(?<!words)\.count\("


class TheList(unittest.TestCase):
    """Sentences and tests, pair by pair."""

    def test_each_sentence_has_a_test_and_each_test_its_sentence(self):
        tests = {name for case in CASES for name in vars(case) if name.startswith("test_")}
        found = set(sentences.all_of_them())
        self.assertEqual(found - tests, set(), "these sentences have no test of their name")
        self.assertGreater(len(found), 80)

    def test_a_new_sentence_is_found(self):
        source = ('def a(n):\n    return f"{n} locks"\n'
                  'def b(n):\n    return f"{n}"\n'
                  'class C:\n    def d(self):\n        return "of {} runs".format(1)\n'
                  'def e(names):\n    return "Hardest are " + ", ".join(names)\n'
                  'def f(names):\n    return "Hardest are " + "all"\n'
                  'def g(names):\n    return "; ".join(names)\n'
                  'def h(names):\n    return "-".join(names)\n'
                  'def i(names):\n    return words.names(names) or "nothing"\n')
        self.assertEqual(sentences.of_module(None, source),
                         [("a",), ("C", "d"), ("e",), ("g",), ("i",)])

    def test_a_template_works_nothing_out(self):
        """Else a count would stand on the page that no function makes."""
        for path in sorted(sentences.PLOTS.glob("*.j2")):
            text = re.sub(r'(colspan|style)="[^"]*"', "", path.read_text(encoding="utf-8"))
            for printed in re.findall(r"\{\{(.*?)\}\}", text, re.S):
                self.assertNotRegex(re.sub(r"\[.*?\]", "", printed), WORKED_OUT,
                                    f"{path.name}: {printed}")

    def test_modules_that_are_left_out_are_there(self):
        for name in sentences.APART:
            self.assertTrue((ROOT / "plots" / f"{name}.py").is_file(), name)

    def test_each_test_fails_where_its_sentence_is_another(self):
        """With other numbers and names."""
        for test, (module, *names) in sentences.all_of_them().items():
            case = next(case for case in CASES if test in vars(case))
            holder = importlib.import_module(module)
            for name in names[:-1]:
                holder = getattr(holder, name)
            original = vars(holder)[names[-1]]
            if isinstance(original, property):
                wrong = property(lambda self, of=original: sentences.spoilt(of.fget(self)))
            else:
                wrong = self.wrong(original)
            result = unittest.TestResult()
            with mock.patch.object(holder, names[-1], wrong),\
                    contextlib.redirect_stderr(io.StringIO()):
                unittest.TestSuite([case(test)]).run(result)
            self.assertEqual(len(result.failures + result.errors), 1,
                             f"{test} would not see other numbers and names")

    @staticmethod
    def wrong(original):
        if original.__name__ == "draw":
            def other(run, width):
                figure = original(run, width)
                for axis in figure.axes:
                    for text in axis.texts:
                        text.set_text(sentences.spoilt(text.get_text()))
                return figure
            return other
        return lambda *arguments: sentences.spoilt(original(*arguments))


if __name__ == "__main__":
    unittest.main()
