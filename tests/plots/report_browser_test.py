"""The page in a browser: contrast, keyboard, nothing that overflows on a screen or in print."""

import sys
import tempfile
import unittest

from report_page_test import Loaded

import browser
import translate

LOOK = """
const hidden = (e) => !e.getClientRects().length;
// WCAG 2.2: relative luminance of an sRGB colour, and the contrast of two.
const parts = (text) => text.match(/[\\d.]+/g).map(Number);
const light = (rgb) => rgb.slice(0, 3).map((v) => v / 255)
  .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (e) => {
  for (let at = e; at; at = at.parentElement) {
    const colour = parts(getComputedStyle(at).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
for (const box of document.querySelectorAll("details")) box.open = true;
const faint = new Set();
const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
let texts = 0;
while (walker.nextNode()) {
  const e = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || e.closest("svg,button:disabled") || hidden(e)) continue;
  ++texts;
  const style = getComputedStyle(e);
  const [one, other] = [light(parts(style.color)), light(behind(e))].sort((a, b) => b - a);
  const large = parseFloat(style.fontSize) >= 24;
  if ((one + 0.05) / (other + 0.05) < (large ? 3 : 4.5)) {
    faint.add(`${e.className || e.tagName}: ${style.color} on ${behind(e)}`);
  }
}
for (const box of document.querySelectorAll("details")) box.open = false;

const reachable = [...document.querySelectorAll("a[href],summary,button,[tabindex]")]
  .filter((e) => !hidden(e) && e.tabIndex < 0).map((e) => e.outerHTML.slice(0, 80));
const unnamed = [...document.querySelectorAll("a[href],button,summary,[tabindex],svg[role=img]")]
  .filter((e) => !hidden(e) && !e.textContent.trim() && !e.getAttribute("aria-label")
    && !e.getAttribute("aria-labelledby")).map((e) => e.outerHTML.slice(0, 80));
const wide = [...document.querySelectorAll("main *")].filter((e) => !hidden(e)
  && !e.closest(".scroll,svg") && e.getBoundingClientRect().right > innerWidth + 1)
  .map((e) => e.outerHTML.slice(0, 80));
// A word is broken where it has two boxes, one below the other.
const broken = new Set();
for (const box of document.querySelectorAll("details")) box.open = true;
const words = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
while (words.nextNode()) {
  const node = words.currentNode;
  if (node.parentElement.closest("svg,[hidden],a[href^=https]") || hidden(node.parentElement)) {
    continue;
  }
  for (const found of node.data.matchAll(/[A-Za-z]{2,}|\\d[\\d,.]*\\d/g)) {
    const range = document.createRange();
    range.setStart(node, found.index);
    range.setEnd(node, found.index + found[0].length);
    const tops = [...range.getClientRects()].filter((r) => r.width > 0).map((r) => r.top);
    if (Math.max(...tops) - Math.min(...tops) > 4) broken.add(found[0]);
  }
}
for (const box of document.querySelectorAll("details")) box.open = false;

// Arrow keys after each way in: the keys go to whatever has the focus, here the body.
const press = (key, at = document.body) => at.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const go = (hash) => {
  location.hash = hash;
  dispatchEvent(new HashChangeEvent("hashchange"));
};
const place = (race) => race.querySelector(".place").textContent;
const square = document.querySelector("#matrix a.violated[href^='#witness']");
square.focus();
const outline = getComputedStyle(square).outlineStyle;
square.click();
go(square.getAttribute("href"));
const target = document.querySelector(square.getAttribute("href"));
press("ArrowRight");
const ways = { matrix: place(target) };
const race = document.querySelector("#races .race");
go(`#${race.id}`);
press("ArrowRight");
press("ArrowRight");
ways.link = place(race);
race.querySelector(".picture").click();
press("ArrowLeft", race.querySelector(".picture"));
ways.box = place(race);
go(`#${race.id}-2`);
ways.step = place(race);
// The filter hides a lock everywhere.
const box = document.querySelector("#filter input[value=set_nx_lua]");
box.click();
const sifted = [...document.querySelectorAll("[data-lock]")].filter((e) => !e.hidden)
  .every((e) => e.dataset.lock === "set_nx_lua");
box.click();
const page = document.documentElement;
const sticky = getComputedStyle(document.querySelector("nav")).position;
scrollTo(0, 0);
const first = document.querySelector("dl.answer dd").getBoundingClientRect().bottom;
return { faint: [...faint], texts, reachable, unnamed, wide, outline, open: target.open,
  outer: target.parentElement.closest("details").open, broken: [...broken], ways, sifted, sticky,
  first, over: page.scrollWidth - page.clientWidth };
"""
PRINTED = """
document.querySelector("details").open = true;
dispatchEvent(new Event("beforeprint"));
const folded = document.querySelectorAll("details:not([open])").length;
const cut = [...document.querySelectorAll("main *")].filter((e) => e.getClientRects().length
  && (e.closest("svg") === null || e.matches("svg"))
  && (e.getBoundingClientRect().right > innerWidth + 1 || e.getBoundingClientRect().left < -1))
  .map((e) => e.outerHTML.slice(0, 90));
dispatchEvent(new Event("afterprint"));
return { cut, folded, open: document.querySelectorAll("details[open]").length };
"""
SIDEWAYS = """
const boxes = [...document.querySelectorAll("main .scroll")].filter(
  (box) => box.localName !== "nav" && !box.closest("details:not([open])"));
return new Promise((done) => setTimeout(() => {
  const wrong = boxes.filter((box) => box.classList.contains("more")
    !== box.scrollWidth > box.clientWidth + 1);
  const wide = boxes.filter((box) => box.scrollWidth > box.clientWidth + 1);
  for (const box of wide) box.scrollLeft = box.scrollWidth;
  for (const box of wide) box.dispatchEvent(new Event("scroll"));
  done({ wrong: wrong.length, wide: wide.length, boxes: boxes.length,
    ended: wide.filter((box) => !box.classList.contains("more")
      && box.classList.contains("sideways")).length });
}, 500));
"""


class InBrowser(Loaded):
    """Chromium opens the page: contrast, keyboard, nothing that overflows."""

    IN_CHINESE = True

    def setUp(self):
        super().setUp()
        if browser.program() is None:
            said = f"there is no {' or '.join(browser.NAMES)}: contrast and keyboard are NOT tested"
            print(said, file=sys.stderr)
            self.skipTest(said)

    def looked_at(self, width, scheme):
        page = self.raw()[0]
        if scheme == "dark":
            page = page.replace("@media screen and (prefers-color-scheme:dark)", "@media screen")
        with tempfile.TemporaryDirectory() as folder:
            return browser.ask(page, LOOK, width, folder)

    def test_nothing_is_cut_in_print(self):
        """A sheet of A4 without its margins is 703 px wide."""
        page = self.raw()[0].replace("@media screen and (max-width", "@media print and (max-width")
        page = page.replace("@media print{", "@media screen{").replace("px),print{", "px),screen{")
        with tempfile.TemporaryDirectory() as folder:
            found, faults = browser.ask(page, PRINTED, 703, folder)
        self.assertEqual(faults, [])
        self.assertEqual(found["cut"], [])
        self.assertEqual((found["folded"], found["open"]), (0, 1), "unfolded, and folded again")

    def test_a_box_that_goes_on_sideways_shows_it_until_its_end(self):
        with tempfile.TemporaryDirectory() as folder:
            found, faults = browser.ask(self.raw()[0], SIDEWAYS, 390, folder)
        self.assertEqual(faults, [])
        self.assertEqual(found["wrong"], 0)
        self.assertGreater(found["wide"], 2)
        self.assertEqual(found["ended"], found["wide"])

    def test_the_page_in_chinese_speaks_chinese_when_it_is_used(self):
        script = """
const race = document.querySelector("#races .race");
location.hash = `#${race.id}-2`;
dispatchEvent(new HashChangeEvent("hashchange"));
return [race.querySelector(".place").textContent,
  document.querySelector("#filter .place").textContent];"""
        with tempfile.TemporaryDirectory() as folder:
            found, faults = browser.ask(translate.page(self.raw()[0]), script, 390, folder)
        self.assertEqual(faults, [])
        self.assertRegex(found[0], r"^第 2 步，共 \d+ 步$")
        self.assertEqual(found[1], "全部显示")

    def test_contrast_keyboard_and_width(self):
        for width, scheme in ((1280, "light"), (390, "light"), (1280, "dark")):
            with self.subTest(width=width, scheme=scheme):
                found, faults = self.looked_at(width, scheme)
                self.assertEqual(faults, [])
                self.assertEqual(found["faint"], [])
                self.assertGreater(found["texts"], 1000)
                for none in ("reachable", "unnamed", "wide", "broken"):
                    self.assertEqual(found[none], [], none)
                self.assertEqual(found["over"], 0)
                self.assertTrue(found["open"] and found["outer"])
                for way, step in (("matrix", 1), ("link", 2), ("box", 1), ("step", 2)):
                    self.assertTrue(found["ways"][way].startswith(f"step {step} of"), found["ways"])
                self.assertTrue(found["sifted"])
                self.assertEqual(found["sticky"], "sticky")
                self.assertLess(found["first"], 800)


if __name__ == "__main__":
    unittest.main()
