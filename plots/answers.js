// Finds the lines that have most of the words that are typed, as a message has names and numbers of
// its own. Without this script all lines are there.
for (const find of document.querySelectorAll(".find")) {
  const lines = [...find.parentElement.querySelectorAll("details.run,details.message")];
  const texts = (line) => {
    const parts = [...line.querySelectorAll(".texts>span")];
    return (parts.length ? parts : [line.querySelector("summary")]).map(
      (part) => `${line.dataset.called ?? ""} ${part.textContent}`.toLowerCase());
  };
  const box = find.querySelector("input");
  const others = find.parentElement.querySelector(".others");
  const unrun = (words) => (others?.dataset.others.split("|") ?? []).filter(
    (name) => words.some((word) => word.length > 2 && name.toLowerCase().includes(word)));
  const sift = () => {
    const words = box.value.toLowerCase().match(/[\p{L}@][\p{L}\p{N}_.@/-]*/gu) ?? [];
    const count = (line) => Math.max(...texts(line).map(
      (text) => words.filter((word) => text.includes(word)).length));
    const counts = lines.map(count);
    const least = Math.max(0.7 * words.length, 0.9 * Math.max(...counts));
    lines.forEach((line, index) => { line.hidden = counts[index] < least; });
    const shown = lines.filter((line) => !line.hidden);
    if (words.length && shown.length === 1) shown[0].open = true;
    const named = unrun(words);
    find.querySelector(".place").textContent =
      words.length ? inPageLanguage(`${shown.length} of ${lines.length}`,
        `${lines.length} 个中的 ${shown.length} 个`) +
        (named.length ? `. ${others.dataset.intro} ${named.join(", ")}` : "") : "";
  };
  find.hidden = false;
  box.addEventListener("input", sift);
}

// Tables sort by a column whose head is clicked, once more the other way round, group by group.
// Numbers go by their first number, and what has none comes last.
const number = (text) => {
  const found = text.replace(/[,\u00a0]/g, "").match(/-?\d+(\.\d+)?/);
  return found ? Number(found[0]) : null;
};
const compare = (one, other) => {
  const [a, b] = [number(one), number(other)];
  const bare = (text) => /^[\s≤<–-]*\d/.test(text) || !/\d/.test(text);
  if ((a !== null || b !== null) && bare(one) && bare(other)) {
    return a === null ? 1 : b === null ? -1 : a - b;
  }
  return one.localeCompare(other);
};
for (const table of document.querySelectorAll("table.sortable,table.cost")) {
  const heads = [...table.querySelectorAll("thead th")];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.className = "sort";
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const text = (row) => row.cells[column]?.textContent.trim() ?? "";
      for (const body of table.tBodies) {
        const rows = [...body.rows].filter((row) => !row.matches(".ran,.group"));
        const below = new Map(rows.map((row) => [row, row.nextElementSibling]));
        rows.sort((a, b) => (down ? -1 : 1) * compare(text(a), text(b)));
        for (const row of rows) {
          const next = below.get(row);
          body.append(row);
          if (next?.matches(".ran")) body.append(next);
        }
      }
    });
  });
}
