// Steps through a race. Without it everything is visible; step 0 is that again: the whole play.
// The arrow keys go to the race that was opened, linked to, clicked or focused last.
let current = null;
const inChinese = document.documentElement.lang.startsWith("zh");
const inPageLanguage = (english, chinese) => (inChinese ? chinese : english);
const players = new Map();

for (const race of document.querySelectorAll(".race")) {
  const stepper = race.querySelector(".stepper");
  const svg = race.querySelector(".timeline");
  const steps = [...race.querySelectorAll(".steps tbody tr")];
  const rows = [...svg.querySelectorAll("g.row[data-step]")];
  const ends = [...svg.querySelectorAll(".life")].map((line) => Number(line.getAttribute("y2")));
  const bottom = Math.max(0, ...ends);
  let step = 0;

  const box = (look) => {
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    rect.setAttribute("class", look);
    rect.setAttribute("width", svg.getAttribute("width"));
    svg.insertBefore(rect, rows[0]);
    return rect;
  };
  const curtain = rows.length ? box("curtain") : null;
  const now = rows.length ? box("now") : null;
  const stretch = (rect, top, end) => {
    rect.setAttribute("y", top);
    rect.setAttribute("height", Math.max(0, end - top));
  };
  const stepOf = (row) => Number(row.dataset.step);

  // Bars that begin before the step and outlast it end at the curtain.
  const draw = () => {
    const later = rows.filter((row) => step && stepOf(row) > step);
    const shown = rows.filter((row) => step && stepOf(row) === step);
    for (const row of rows) row.classList.toggle("later", later.includes(row));
    const top = later.length ? later[0].getBBox().y - 3 : bottom;
    stretch(curtain, top, bottom);
    stretch(now, shown.length ? shown[0].getBBox().y - 3 : bottom, shown.length ? top : bottom);
  };

  const tell = () => {
    const said = stepper.querySelector(".said");
    said.replaceChildren();
    const line = (text) => {
      const words = document.createElement("p");
      words.textContent = text;
      said.append(words);
      return words;
    };
    for (const row of steps) row.toggleAttribute("aria-current", false);
    stepper.querySelector(".place").textContent =
      step ? inPageLanguage(`step ${step} of ${steps.length}`, `第 ${step} 步，共 ${steps.length} 步`)
        : inPageLanguage(`all ${steps.length} steps`, `共 ${steps.length} 步`);
    for (const button of stepper.querySelectorAll("button")) {
      const by = button.dataset.by;
      button.disabled = by === "1" ? step === steps.length : step === 0;
    }
    if (!step) {
      line(inPageLanguage("→ goes through it step by step.", "按 → 键逐步查看。"));
      return;
    }
    const row = steps[step - 1];
    row.setAttribute("aria-current", "step");
    const [time, words] = [".time", ".words"].map((part) => row.querySelector(part));
    line([time.textContent && `${time.textContent} s`, words.firstChild.textContent]
      .filter(Boolean).join("  ")).classList.toggle("wrong", words.classList.contains("wrong"));
    for (const mark of words.querySelectorAll(".mark")) said.append(mark.cloneNode(true));
    const key = row.querySelector(".key").textContent;
    const inside = row.querySelector(".inside").textContent;
    line(inPageLanguage(`${key ? `key: ${key}; ` : ""}inside: ${inside}`,
      `${key ? `键：${key}；` : ""}在内：${inside}`));
  };

  const follow = () => {
    const shown = rows.find((row) => stepOf(row) === step);
    if (!shown) return;
    const at = shown.getBoundingClientRect();
    const top = stepper.getBoundingClientRect().bottom + 12;
    const end = innerHeight - 48;
    if (at.bottom > end) scrollBy(0, at.bottom - end + 96);
    else if (at.top < top) scrollBy(0, at.top - top);
  };

  const go = (to) => {
    const next = Math.min(Math.max(to, 0), steps.length);
    if (next === step || !rows.length) return;
    step = next;
    draw();
    tell();
    follow();
  };

  players.set(race, { go, by: (by) => go(step + by) });
  stepper.hidden = false;
  tell();
  stepper.addEventListener("click", (event) => {
    const by = event.target.dataset.by;
    if (by) go(by === "all" ? 0 : step + Number(by));
  });
  for (const kind of ["toggle", "click", "focusin"]) {
    race.addEventListener(kind, () => { if (race.open) current = race; });
  }
}

const isShown = (race) => race && race.open && race.getClientRects().length > 0;

addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const held = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  const typing = event.target.matches?.("input,select,textarea");
  const race = event.target.closest?.(".race[open]") ?? current;
  if (!by || held || typing || !isShown(race)) return;
  event.preventDefault();
  current = race;
  players.get(race).by(by);
});

// What a link leads to is opened: a race or witness, also at one of its steps (#race-NAME-3).
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let box = target; box; box = box.parentElement) if (box.matches("details")) box.open = true;
  if (!target) return;
  const race = target.closest(".race");
  if (race) current = race;
  target.scrollIntoView();
  if (race && target.matches("[data-step]")) players.get(race).go(Number(target.dataset.step));
};
addEventListener("hashchange", reveal);
// A link to where one is already changes no hash.
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (link && link.getAttribute("href") === location.hash) reveal();
});
reveal();
