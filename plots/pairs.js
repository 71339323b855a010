// Any two rows of the table of libraries beside each other, those faults first in which they differ.
const two = document.getElementById("two");
const marks = document.querySelector("#table table.marks");
if (two && marks && marks.tBodies[0].rows.length > 1) {
  const rows = [...marks.tBodies[0].rows];
  const faults = [...marks.tHead.rows[0].cells].slice(1).map((head) => head.textContent.trim());
  const choices = [...two.querySelectorAll("select")];
  const table = two.querySelector("table");
  choices.forEach((choice, which) => {
    rows.forEach((row, index) => choice.append(
      new Option(row.cells[0].textContent.trim(), index, index === which, index === which)));
    choice.addEventListener("change", show);
  });
  function show() {
    const chosen = choices.map((choice) => rows[choice.value]);
    chosen.forEach((row, which) => {
      table.tHead.rows[0].cells[which + 1].textContent = row.cells[0].textContent.trim();
    });
    const lines = faults.map((name, index) => {
      const cells = chosen.map((row) => row.cells[index + 1]);
      const line = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = name;
      line.append(head, ...cells.map((cell) => {
        const copy = cell.cloneNode(true);
        copy.className = cell.classList.contains("deadlock") ? "deadlock" : "";
        const said = (cell.title || "").replace(/^[^:：]*[:：]\s*/, "");
        copy.textContent = said ? `${cell.textContent.trim()} ${said}` : cell.textContent.trim();
        return copy;
      }));
      const texts = cells.map((cell) => cell.textContent.trim());
      const known = texts.map((text) => ["Xx", ".o"].findIndex((kind) => kind.includes(text)));
      line.classList.toggle("differs", known[0] !== known[1] && !known.includes(-1));
      return [line, texts.every((text) => text === "-")];
    }).filter(([, neither]) => !neither).map(([line]) => line);
    lines.sort((one, other) => other.classList.contains("differs")
      - one.classList.contains("differs"));
    table.tBodies[0].replaceChildren(...lines);
  }
  two.hidden = false;
  show();
}
