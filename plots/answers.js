// Finds a line by what is typed. Without this script all lines are there.
for (const find of document.querySelectorAll(".find")) {
  const lines = [...find.parentElement.querySelectorAll("details")];
  const box = find.querySelector("input");
  const sift = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const line of lines) {
      const text = line.textContent.toLowerCase();
      line.hidden = !words.every((word) => text.includes(word));
      shown += line.hidden ? 0 : 1;
    }
    find.querySelector(".place").textContent =
      words.length ? `${shown} of ${lines.length}` : "";
  };
  find.hidden = false;
  box.addEventListener("input", sift);
}
