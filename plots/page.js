// The contents stay in sight; what sticks below them must know how high they are.
const contents = document.querySelector("nav");
const measure = () => document.documentElement.style.setProperty(
  "--nav", `${contents.offsetHeight}px`);
addEventListener("resize", measure);
measure();

// Hides the locks that are not ticked, in all tables and lists; no lock ticked means all.
const filter = document.getElementById("filter");
const boxes = [...filter.querySelectorAll("input")];
const sift = () => {
  const ticked = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  for (const part of document.querySelectorAll("[data-lock]")) {
    part.hidden = ticked.size > 0 && !ticked.has(part.dataset.lock);
  }
  filter.querySelector(".place").textContent =
    ticked.size ? `${ticked.size} of ${boxes.length} shown` : "all shown";
};
filter.hidden = false;
filter.addEventListener("change", sift);
filter.addEventListener("reset", () => setTimeout(sift));
sift();

// On paper the races and the counts are left folded, as they are on the screen; this is short.
addEventListener("beforeprint", () => {
  for (const box of document.querySelectorAll("details.printed")) box.open = true;
});
