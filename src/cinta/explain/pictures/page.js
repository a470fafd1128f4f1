// The page around the picture, and what people do on it.

// -- the page around the picture ----------------------------------------------------------------

function speak(lang) {
  state.lang = document.documentElement.lang = $("language").value = lang;
  document.querySelectorAll("[data-word]").forEach(each => { each.textContent = word(each.dataset.word) });
  document.querySelectorAll("[data-label]").forEach(each => each.setAttribute("aria-label", word(each.dataset.label)));
  offer();
  render();
  stepped();
  tell();
}
/** Fill the panel with what is chosen; with explanations, or how to use the page, if nothing is. */
function tell() {
  if (state.chosen) return describe(state.chosen);
  panel.innerHTML = data.panels[state.lang] + `<p>${escaped(word("hint"))}</p>`;
  [...panel.children].slice(0, -1).forEach((each, i) => {
    each.classList.add("why");
    if (data.pictures.length < 2) return;
    Object.assign(each, { tabIndex: 0, role: "button" });
    each.setAttribute("aria-current", i === state.picture);
    each.onclick = () => pick(i);
    each.onkeydown = event => { if (event.key === "Enter") pick(i) };
  });
}
function pick(i) {
  Object.assign(state, { picture: i, chosen: null });
  nodes = new Map();
  const { graph, title } = picture();
  nodes = known(graph);
  const steps = Math.max(1, ...graph.boxes.map(box => box.steps.length));
  state.step = steps - 1;
  $("title").textContent = $("title").title = title;
  $("pictures").querySelector("select").value = i;
  $("steps").hidden = steps < 2;
  Object.assign($("step"), { max: steps - 1, value: state.step });
  $("timeline").hidden = !picture().moments.length;
  $("backward").hidden = ![...nodes.values()].some(box => box.steps.some(step => step && step[3] !== null));
  if ($("backward").hidden) state.backward = false;
  if ($("timeline").hidden) state.timeline = false;
  offer();
  if (picture().kind === "explanation") nodes.forEach(box => { box.open = ["cut", "spot"].includes(box.role) && !!box.inner });
  const inside = graph.boxes.filter(box => !["source", "data"].includes(box.role));
  if (inside.length === 1 && inside[0].inner) unfold(inside[0]);
  render();
  fit(READABLE);
  stepped();
  tell();
  times();
}
/** Offer those measures for colors that tell boxes apart. */
function offer() {
  const known = ["bytes", "seconds", "norm", "count"].filter(name =>
    [...nodes.values()].some(box => box.steps.some(step => step?.[MEASURES.indexOf(name)] > (name === "count" ? 1 : 0))));
  if (!known.includes(state.color)) state.color = "";
  $("color").innerHTML = ["", ...known].map(name => `<option value="${name}">${escaped(word(name || "role"))}</option>`).join("");
  $("color").value = state.color;
  $("color").parentElement.hidden = !known.length;
}
function stepped() {
  $("step-name").textContent = `${word("step")} ${state.step + 1} / ${Number($("step").max) + 1}`;
}

// -- events -------------------------------------------------------------------------------------

let grip = null;
const boxOf = event => nodes.get(event.target.closest?.(".node")?.dataset.id);
function hover(event, text) {
  tip.hidden = !text;
  if (!text) return;
  tip.innerHTML = text;
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8))}px`;
  const below = event.clientY + 18;
  tip.style.top = `${below + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 12 : below}px`;
}
const hint = box => `<code>${escaped(box.title)}</code>\n${escaped([box.where, box.result].filter(Boolean).join(" · "))}\n` +
  escaped(["count", "bytes", "seconds", "norm"].filter(name => fact(box, name)).map(name => `${word(name)} ${shown(name, fact(box, name))}`).join(" · "));
svg.addEventListener("wheel", event => {
  event.preventDefault();
  const box = svg.getBoundingClientRect();
  zoom(event.deltaY > 0 ? 1 / 1.15 : 1.15, event.clientX - box.left, event.clientY - box.top);
}, { passive: false });
svg.addEventListener("pointerdown", event => { grip = { x: event.clientX, y: event.clientY, moved: 0 } });
addEventListener("pointerup", () => { setTimeout(() => { grip = null }) });
svg.addEventListener("pointermove", event => {
  const box = boxOf(event);
  hover(event, box && !grip ? hint(box) : "");
  if (!grip) return;
  const x = event.clientX - grip.x, y = event.clientY - grip.y;
  grip = { x: event.clientX, y: event.clientY, moved: grip.moved + Math.abs(x) + Math.abs(y) };
  if (grip.moved > 4) move(x, y);
});
svg.addEventListener("pointerleave", () => { tip.hidden = true });
svg.addEventListener("click", event => {
  const box = boxOf(event);
  if (grip?.moved > 4) return;
  tip.hidden = true;
  if (box) { toggle(box); choose(box) } else if (state.chosen) { state.chosen = null; render(); tell() }
});
svg.addEventListener("focusin", event => {
  const box = boxOf(event);
  if (box) describe(box);
});
svg.addEventListener("keydown", event => {
  const box = boxOf(event);
  if (!box) return;
  if (event.key === "Enter" || event.key === " ") { toggle(box); choose(box) }
  else if (event.key.startsWith("Arrow")) {
    const next = neighbor(box, event.key);
    if (next) { choose(next); center(next); element(next.id)?.focus({ preventScroll: true }) }
  } else return;
  event.preventDefault();
  event.stopPropagation();
});
addEventListener("keydown", event => {
  if (["INPUT", "SELECT", "BUTTON"].includes(event.target.tagName) || event.ctrlKey || event.metaKey) return;
  const moves = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] };
  if (event.key in moves) move(...moves[event.key]);
  else if (event.key === "+" || event.key === "=") zoom(1.2);
  else if (event.key === "-") zoom(1 / 1.2);
  else if (event.key === "0") fit();
  else if (event.key === "/") $("search").focus();
  else if (event.key === "Escape") { state.chosen = null; render(); tell() }
  else return;
  event.preventDefault();
});
const on = (id, kind, run) => $(id).addEventListener(kind, run);
on("search", "input", event => search(event.target.value));
on("search", "keydown", event => { if (event.key === "Enter") goToFound() });
on("color", "change", event => { state.color = event.target.value; render() });
on("fit", "click", () => fit());
on("unfold", "click", () => { nodes.forEach(box => { box.open = !!box.inner }); render(); fit(SMALL) });
on("fold", "click", () => { nodes.forEach(box => { box.open = false }); render(); fit(READABLE) });
on("backward", "click", () => {
  state.backward = !state.backward;
  $("backward").setAttribute("aria-pressed", state.backward);
  render();
  fit(READABLE);
});
on("timeline", "click", () => { state.timeline = !state.timeline; range = null; times(); fit(READABLE) });
on("theme", "change", event => { document.documentElement.style.colorScheme = event.target.value; times() });
on("language", "change", event => speak(event.target.value));
on("step", "input", event => { state.step = Number(event.target.value); render(); stepped(); tell() });
on("times", "pointermove", event => {
  const moment = momentAt(event);
  hover(event, moment ? `<code>${escaped(picture().names[moment[2]])}</code> ${escaped(shown("seconds", moment[1]))}\n` +
    escaped(picture().graph.boxes[moment[3]].title) : "");
});
on("times", "pointerleave", () => { tip.hidden = true });
on("times", "click", event => {
  const moment = momentAt(event);
  if (moment) { const box = picture().graph.boxes[moment[3]]; choose(box); center(box) }
});
on("times", "wheel", event => {
  event.preventDefault();
  const box = $("times").getBoundingClientRect(), share = (event.clientX - box.left) / box.width;
  const wide = range.to - range.from, next = wide * (event.deltaY > 0 ? 1.2 : 1 / 1.2), mid = range.from + share * wide;
  range = { from: Math.max(0, mid - share * next), to: mid + (1 - share) * next };
  times();
});
addEventListener("resize", () => { fit(READABLE); times() });

unpacked().then(found => {
  data = found;
  const select = $("pictures").querySelector("select");
  $("pictures").hidden = data.pictures.length < 2;
  select.innerHTML = data.pictures.map(({ title }, i) => `<option value="${i}">${escaped(title)}</option>`).join("");
  select.addEventListener("change", () => pick(Number(select.value)));
  $("language").value = state.lang;
  if (data.pictures.length) pick(0);
  else data.pictures.push({ kind: "", title: document.title, graph: { boxes: [], rows: [], arrows: [] }, names: [], moments: [] }), pick(0);
  speak(state.lang);
  document.body.dataset.ready = "true";
});
