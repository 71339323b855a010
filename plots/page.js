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
    ticked.size ? inPageLanguage(`${ticked.size} of ${boxes.length} shown`,
      `共 ${boxes.length} 个，显示 ${ticked.size} 个`) : inPageLanguage("all shown", "全部显示");
};
filter.hidden = false;
filter.addEventListener("change", sift);
filter.addEventListener("reset", () => setTimeout(sift));
sift();

// Boxes that can be scrolled sideways show it, as long as there is more to the right.
const boxesOf = document.querySelectorAll("main .scroll");
const edge = (box) => {
  const wide = box.scrollWidth > box.clientWidth + 1
    && getComputedStyle(box).overflowX !== "visible";
  box.classList.toggle("sideways", wide);
  box.classList.toggle("more", wide
    && box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
};
const watch = new ResizeObserver((seen) => requestAnimationFrame(
  () => seen.forEach((one) => edge(one.target))));
for (const box of boxesOf) {
  if (box.localName === "nav") continue;
  watch.observe(box);
  box.addEventListener("scroll", () => edge(box), { passive: true });
}

// On paper all is unfolded, and folded again after it.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const box of folded) box.open = true;
});
addEventListener("afterprint", () => {
  for (const box of folded) box.open = false;
  folded = [];
});
