// Moving about in the picture: views, boxes that unfold, search.

// -- moving about -------------------------------------------------------------------------------

function look() {
  $("all").setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
  if (!isDrawn()) render();
}
/** Show the whole, or if that were too small its top, at this scale. */
function fit(least = 0) {
  const w = svg.clientWidth || 800, h = svg.clientHeight || 600;
  const across = (w - 2 * MARGIN) / extent.w, down = (h - 2 * MARGIN) / extent.h;
  view.scale = Math.max(0.02, Math.min(1.25, across, Math.max(down, least)));
  view.x = (w - extent.w * view.scale) / 2;
  view.y = Math.max(MARGIN, (h - extent.h * view.scale) / 2);
  look();
}
function zoom(by, x = svg.clientWidth / 2, y = svg.clientHeight / 2) {
  const scale = Math.min(4, Math.max(0.02, view.scale * by));
  by = scale / view.scale;
  view = { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
  look();
}
function move(x, y) { view.x += x; view.y += y; look() }
/** The corner of a box in the drawing. */
function corner(box) {
  let x = 0, y = 0;
  for (let each = box; each; each = each.around) {
    x += each.x + (each === box ? 0 : each.inside.x);
    y += each.y + (each === box ? 0 : each.inside.y);
  }
  return { x, y };
}
function center(box) {
  const { x, y } = corner(box);
  view.x = svg.clientWidth / 2 - (x + WIDTH / 2) * view.scale;
  view.y = svg.clientHeight / 3 - y * view.scale;
  look();
}

// -- boxes --------------------------------------------------------------------------------------

/** Unfold a box; one that holds nothing but another box shows what is in that. */
function unfold(box) {
  box.open = true;
  const inside = box.inner.boxes.filter(each => each.role !== "source");
  if (inside.length === 1 && inside[0].inner) unfold(inside[0]);
}
function toggle(box) {
  if (!box.inner) return;
  const before = corner(box);
  if (box.open) box.open = false; else unfold(box);
  place(picture().graph);
  const after = corner(box);
  view.x += (before.x - after.x) * view.scale;
  view.y += (before.y - after.y) * view.scale;
  const over = view.x + (after.x + box.w) * view.scale + MARGIN - svg.clientWidth; // what sticks out at the right
  if (over > 0) view.x -= Math.min(over, view.x + after.x * view.scale - MARGIN);
}
function choose(box) {
  state.chosen = box;
  render();
  describe(box);
}
function describe(box) {
  const rows = [[word("where"), box.where], [word("result"), box.result], [word("parameters"), box.parameters ? number(box.parameters, 20) : ""],
    [word("count"), shown("count", fact(box, "count") || null)], [word("bytes"), shown("bytes", fact(box, "bytes") || null)],
    [word("seconds"), shown("seconds", fact(box, "seconds") || null)], [word("norm"), shown("norm", fact(box, "norm"))],
    [word("backward_time"), shown("pull", fact(box, "pull") || null)]];
  const absent = box.steps[state.step] === null ? `<p>${escaped(word("absent"))}</p>` : "";
  const facts = rows.filter(([, text]) => text).map(([name, text]) =>
    `<dt>${escaped(name)}</dt><dd>${escaped(text)}</dd>`).join("");
  const inner = (box.inner?.boxes ?? []).slice(0, 200).map(each => `<tr><td><code>${escaped(each.title)}</code></td>` +
    `<td>${escaped(each.result || each.where || "")}</td><td>${fact(each, "count") > 1 ? "× " + shown("count", fact(each, "count")) : ""}</td></tr>`).join("");
  panel.innerHTML = `<h2><code>${escaped(box.title)}</code></h2>${box.role ? `<p>${escaped(word(box.role))}</p>` : ""}` +
    `${absent}<dl>${facts}</dl>${chart(box)}${inner ? `<table>${inner}</table>` : ""}`;
}
/** The gradient's norm, or the bytes, over the steps. */
function chart(box) {
  if (box.steps.length < 2) return "";
  const name = box.steps.some(step => step && step[3] !== null) ? "norm" : "bytes", i = MEASURES.indexOf(name);
  const values = box.steps.map(step => step?.[i] ?? null), most = Math.max(...values), last = values.length - 1;
  if (!(most > 0)) return "";
  const points = values.map((x, at) => x === null ? "" : `${at / last * 200},${60 - x / most * 54}`).filter(Boolean).join(" ");
  const now = state.step / last * 200;
  return `<p>${escaped(word(name))}: ${escaped(shown(name, most))}</p><svg class="chart" viewBox="0 0 200 64" preserveAspectRatio="none" ` +
    `aria-hidden="true"><polyline points="${points}"/><line x1="${now}" x2="${now}" y1="0" y2="64"/></svg>`;
}
function matches(box) {
  return box.text.includes(state.search) || (box.inner?.boxes ?? []).some(matches);
}
function search(text) {
  state.search = text.toLowerCase();
  const count = state.search ? [...nodes.values()].filter(box => box.text.includes(state.search)).length : 0;
  $("status").textContent = state.search ? `${count} ${word("found")}` : "";
  render();
}
function goToFound() {
  const found = [...nodes.values()].filter(box => box.text.includes(state.search));
  if (!state.search || !found.length) return;
  const box = found[(found.indexOf(state.chosen) + 1) % found.length];
  for (let each = box.around; each; each = each.around) each.open = true;
  choose(box);
  center(box);
}
function neighbor(box, key) {
  const graph = box.around ? box.around.inner : picture().graph;
  if (key === "ArrowDown") return box.open && box.inner ? box.inner.boxes[box.inner.rows[0][0]] : box.gives[0];
  if (key === "ArrowUp") return box.takes[0] ?? box.around;
  const row = graph.rows.find(each => each.includes(graph.boxes.indexOf(box)));
  return graph.boxes[row[row.indexOf(graph.boxes.indexOf(box)) + (key === "ArrowRight" ? 1 : -1)]];
}
