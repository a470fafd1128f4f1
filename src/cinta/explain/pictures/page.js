"use strict";
const WIDTH = 290, HEIGHT = 48, WAY = 12, ACROSS = 28, DOWN = 40, PAD = 16, LETTER = 7.25, MARGIN = 24, BETWEEN = 90;
const READABLE = 0.7, SMALL = 0.3; // scales
const MEASURES = ["count", "bytes", "seconds", "norm", "pull"]; // as facts of a step stand in the data
const $ = id => document.getElementById(id);
const svg = $("picture"), panel = $("panel"), tip = $("tip");
const state = { picture: 0, step: 0, color: "", lang: document.documentElement.lang, search: "",
                backward: false, timeline: false, chosen: null };
let data, view = { x: 0, y: 0, scale: 1 }, extent = { w: 1, h: 1 }, drawn = null, nodes = new Map(), span = null;

// -- data ---------------------------------------------------------------------------------------

async function unpacked() {
  const bytes = Uint8Array.from(atob($("data").textContent), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
/** Give each box its id, the box around it, and what it takes and gives; by id in a map. */
function known(graph, around = null, found = new Map()) {
  graph.boxes.forEach((box, i) => {
    Object.assign(box, { id: around ? `${around.id}.${i}` : `${i}`, around, takes: [], gives: [], open: false });
    box.text = [box.title, box.where, box.result].join(" ").toLowerCase();
    found.set(box.id, box);
    if (box.inner) known(box.inner, box, found);
  });
  for (const [a, b, count] of graph.arrows) {
    graph.boxes[a].gives.push(graph.boxes[b]);
    graph.boxes[b].takes.push(graph.boxes[a]);
  }
  return found;
}
const picture = () => data.pictures[state.picture];
const fact = (box, name) => box.steps[state.step]?.[MEASURES.indexOf(name)] ?? null;
const word = name => data.words[name][state.lang];
const escaped = text => String(text).replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`);
const number = (x, digits = 3) => new Intl.NumberFormat(state.lang, { maximumSignificantDigits: digits }).format(x);
function withUnit(x, units) {
  let i = 0;
  while (x >= 1000 && i < units.length - 1) { x /= 1000; i++ }
  return `${number(x)} ${units[i]}`;
}
function shown(name, x) {
  if (x === null || x === undefined) return "";
  if (name === "bytes") return withUnit(x, ["B", "kB", "MB", "GB", "TB"]);
  if (name === "seconds" || name === "pull") return withUnit(x, ["µs", "ms", "s"]);
  if (name !== "norm") return number(x, 20);
  return x >= 1e308 ? "NaN, ∞" : x !== 0 && (x < 1e-3 || x >= 1e5) ? x.toExponential(2) : number(x);
}

// -- layout and drawing -------------------------------------------------------------------------

/** Set where the boxes of a graph stand, relative to its corner, and give its size. */
function place(graph) {
  graph.ways = {};
  const rows = graph.rows.map(row => row.map(i => i < 0 ? graph.ways[i] = { w: WAY, h: 0 } : sized(graph.boxes[i])));
  const above = linksAbove(graph), done = new Set();
  let y = 0;
  for (const row of rows) {
    let x = 0;
    const h = Math.max(HEIGHT, ...row.map(box => box.h));
    for (const box of row) { box.x = x; box.y = y; x += box.w + ACROSS; if (box.w === WAY) box.h = h }
    const wished = row.map(box => [middle(box), (above.get(box) ?? []).filter(each => done.has(each)).map(middle)])
      .filter(([, places]) => places.length).map(([own, places]) => mean(places) - own);
    const left = wished.length ? mean(wished) : (ACROSS - x) / 2;
    for (const box of row) { box.x += left; done.add(box) }
    y += h + DOWN;
  }
  const all = rows.flat(), first = all.reduce((least, box) => Math.min(least, box.x), 0);
  for (const box of all) box.x -= first;
  return { w: all.reduce((most, box) => Math.max(most, box.x + box.w), WIDTH), h: Math.max(y - DOWN, HEIGHT) };
}
const mean = values => values.reduce((a, b) => a + b, 0) / values.length;
const middle = box => box.x + box.w / 2;
/** What leads into each box and way: each row stands, on average, below that. */
function linksAbove(graph) {
  const above = new Map();
  for (const [a, b, , ways] of graph.arrows) {
    const stations = [graph.boxes[a], ...ways.map(i => graph.ways[i]), graph.boxes[b]];
    for (let i = 1; i < stations.length; i++)
      above.set(stations[i], [...above.get(stations[i]) ?? [], stations[i - 1]]);
  }
  return above;
}
function sized(box) {
  const inside = box.open && box.inner ? place(box.inner) : null;
  box.w = inside ? inside.w + 2 * PAD : WIDTH;
  box.h = inside ? inside.h + HEIGHT + PAD : HEIGHT;
  if (inside) box.inside = { x: (box.w - inside.w) / 2, y: HEIGHT };
  return box;
}
/** The part of the drawing to draw: what can be seen, and as much again on each side. */
function toDraw() {
  const w = svg.clientWidth / view.scale, h = svg.clientHeight / view.scale;
  return { left: -view.x / view.scale - w, right: -view.x / view.scale + 2 * w,
           top: -view.y / view.scale - h, bottom: -view.y / view.scale + 2 * h, scale: view.scale };
}
/** Whether what can be seen now was drawn, in as much detail. */
function isDrawn() {
  const { left, right, top, bottom } = toDraw(), w = (right - left) / 3, h = (bottom - top) / 3;
  return drawn && left + w >= drawn.left && right - w <= drawn.right && top + h >= drawn.top &&
    bottom - h <= drawn.bottom && hasText(view.scale) === hasText(drawn.scale) && holds(view.scale) === holds(drawn.scale);
}
const hasText = scale => scale > 0.12, holds = scale => scale > 0.04; // what is smaller cannot be read, or seen
const meetsRows = (top, bottom) => top <= drawn.bottom && bottom >= drawn.top;
const meets = (x, y, w, h) => x <= drawn.right && x + w >= drawn.left && meetsRows(y, y + h);
/** The boxes and arrows of a graph whose corner is here in the drawing. */
function graphText(graph, back, x, y) {
  const arrows = graph.arrows.filter(([from, to]) => {
    const a = graph.boxes[from], b = graph.boxes[to];
    return meetsRows(y + Math.min(a.y, b.y), y + Math.max(a.y + a.h, b.y + b.h));
  });
  const boxes = graph.boxes.filter(box => meets(x + box.x, y + box.y, box.w, box.h));
  return arrows.map(arrow => arrowText(graph, arrow, back)).join("") + boxes.map(box => boxText(box, back, x, y)).join("");
}
/** A curve from box to box, straight past each way between; backward it leads up. */
function curve(stations) {
  let { x, y } = stations[0], path = `M${x} ${y}`;
  for (const [i, next] of stations.entries()) {
    if (i === 0) continue;
    const bend = Math.max(Math.abs(next.y - y) / 2, 12) * Math.sign(next.y - y || 1);
    path += i % 2 ? `C${x} ${y + bend} ${next.x} ${next.y - bend} ${next.x} ${next.y}` : `V${next.y}`;
    ({ x, y } = next);
  }
  return path;
}
function arrowText(graph, [from, to, count, ways], back) {
  const a = graph.boxes[from], b = graph.boxes[to];
  if (back && (fact(a, "norm") === null || fact(b, "norm") === null)) return "";
  const at = (box, y) => ({ x: box.x + box.w / 2, y });
  const passed = ways.map(i => graph.ways[i]).flatMap(way => [at(way, way.y), at(way, way.y + way.h)]);
  const stations = [at(a, a.y + a.h), ...passed, at(b, b.y)];
  const lost = !back && [a, b].some(box => box.role === "lost") ? " lost" : "";
  const near = state.chosen === a || state.chosen === b ? " near" : "";
  return `<path class="arrow${lost}${near}${back ? " back" : ""}" d="${curve(back ? stations.reverse() : stations)}" ` +
    `marker-end="url(#${back || near ? "head-back" : "head"})">${count > 1 ? `<title>× ${count}</title>` : ""}</path>`;
}
function boxText(box, back, x, y) {
  const absent = box.steps[state.step] === null, reached = fact(box, "norm") !== null;
  const heat = heatOf(box, back);
  const classes = ["node", box.role || "op", box.open && box.inner ? "open" : "", absent ? "absent" : "",
    heat !== null ? "heat" : state.color && !(box.open && box.inner) ? "plain" : "", box === state.chosen ? "chosen" : "",
    (state.search && !matches(box)) || (back && !reached) ? "dim" : ""].filter(Boolean).join(" ");
  const letters = Math.floor((box.w - (box.role === "cut" ? 66 : 44)) / LETTER);
  const more = second(box, back), sign = box.inner ? (box.open ? "▾" : "▸") : "";
  const expanded = box.inner ? ` aria-expanded="${box.open}"` : "";
  return `<g class="${classes}" data-id="${box.id}" data-back="${back ? 1 : ""}" tabindex="0" role="button"${expanded} ` +
    `aria-label="${escaped(spoken(box, back))}" transform="translate(${box.x} ${box.y})"` +
    `${heat !== null ? ` style="--heat:${Math.round(heat * 100)}%"` : ""}>` +
    `<rect width="${box.w}" height="${box.h}" rx="8"/>` + (hasText(view.scale) ? `<text x="12" y="${more.length ? 20 : 29}">${escaped(short(box.title, letters))}</text>` +
    `<text class="more" x="12" y="37">${escaped(fitting(more, Math.floor((box.w - 24) / 6.4)))}</text>` +
    `<text x="${box.w - 20}" y="20">${sign}</text>` +
    (box.role === "cut" && !back ? `<text class="scissors" x="${box.w - 40}" y="21">✂</text>` : "") : "") +
    (box.open && box.inner && holds(view.scale) ? `<g transform="translate(${box.inside.x} ${box.inside.y})">` +
      `${graphText(box.inner, back, x + box.x + box.inside.x, y + box.y + box.inside.y)}</g>` : "") + "</g>";
}
const short = (text, letters) => text.length <= letters ? text : text.slice(0, letters - 1) + "…";
function second(box, back) {
  const norm = fact(box, "norm");
  if (back) return [norm === null ? "–" : `‖g‖ ${shown("norm", norm)}`, box.result,
    fact(box, "pull") ? shown("pull", fact(box, "pull")) : ""].filter(Boolean);
  const count = fact(box, "count"), ops = count > 1 ? `${shown("count", count)} ${word("ops")}` : "";
  const kept = fact(box, "bytes") ? shown("bytes", fact(box, "bytes")) : "";
  const chosen = ["seconds", "norm"].includes(state.color) ? shown(state.color, fact(box, state.color)) : "";
  const weights = box.parameters ? `${number(box.parameters, 20)} ${word("parameters")}` : "";
  return [chosen, box.where, box.result, weights, kept, ops].filter(Boolean);
}
const spoken = (box, back) => [box.title, word(box.role || "op"), ...second(box, back)].join(", ");
/** The first ones of these parts that fit. */
function fitting(parts, letters) {
  let text = short(parts[0] ?? "", letters);
  for (const part of parts.slice(1)) {
    if (text.length + part.length + 3 > letters) break;
    text += ` · ${part}`;
  }
  return text;
}
/** Where a box stands between the least and the most of what colours tell, from 0 to 1. */
function heatOf(box, back) {
  if (!state.color) return null;
  const x = fact(box, state.color);
  if (x === null || !span || (back && state.color === "count")) return null;
  if (state.color !== "norm") return span.most ? x / span.most : 0;
  if (x <= 0) return 0;
  return span.most > span.least ? Math.log(x / span.least) / Math.log(span.most / span.least) : 1;
}
function measured() {
  const values = [];
  for (const box of nodes.values()) {
    const x = state.color ? fact(box, state.color) : null;
    if (x !== null && (x > 0 || state.color !== "norm") && !(box.open && box.inner)) values.push(Math.min(x, 1e30));
  }
  const least = values.reduce((a, b) => Math.min(a, b), Infinity), most = values.reduce((a, b) => Math.max(a, b), 0);
  span = values.length ? { least, most } : null;
  const legend = $("legend");
  legend.hidden = !span;
  if (span) {
    const from = state.color === "norm" ? span.least : 0;
    legend.innerHTML = `${escaped(word(state.color))} &nbsp; ${escaped(shown(state.color, from))}<i></i>${escaped(shown(state.color, span.most))}`;
  }
}
function render() {
  const focused = document.activeElement?.closest?.(".node");
  const graph = picture().graph, size = place(graph), top = state.backward ? 30 : 0;
  extent = { w: size.w * (state.backward ? 2 : 1) + (state.backward ? BETWEEN : 0), h: size.h + top };
  measured();
  drawn = toDraw();
  const side = (name, x) => state.backward ? `<text class="side" x="${x + size.w / 2}" y="8" text-anchor="middle">${escaped(word(name))}</text>` : "";
  svg.innerHTML = "<defs>" + ["head", "head-back"].map(id => `<marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" ` +
    'markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>').join("") + "</defs><g id=\"all\">" +
    side("forward", 0) + `<g transform="translate(0 ${top})">${graphText(graph, false, 0, top)}</g>` +
    (state.backward ? side("backward", size.w + BETWEEN) +
      `<g transform="translate(${size.w + BETWEEN} ${top})">${graphText(graph, true, size.w + BETWEEN, top)}</g>` : "") + "</g>";
  $("all").setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
  if (focused) element(focused.dataset.id, focused.dataset.back)?.focus({ preventScroll: true });
  svg.setAttribute("aria-label", picture().title);
}
const element = (id, back = "") => svg.querySelector(`.node[data-id="${id}"][data-back="${back}"]`);

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
function neighbour(box, key) {
  const graph = box.around ? box.around.inner : picture().graph;
  if (key === "ArrowDown") return box.open && box.inner ? box.inner.boxes[box.inner.rows[0][0]] : box.gives[0];
  if (key === "ArrowUp") return box.takes[0] ?? box.around;
  const row = graph.rows.find(each => each.includes(graph.boxes.indexOf(box)));
  return graph.boxes[row[row.indexOf(graph.boxes.indexOf(box)) + (key === "ArrowRight" ? 1 : -1)]];
}

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
/** Offer those measures for colours that tell boxes apart. */
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

// -- the timeline -------------------------------------------------------------------------------

let range = null;
function times() {
  const canvas = $("times"), moments = picture().moments;
  canvas.hidden = !state.timeline;
  $("timeline").setAttribute("aria-pressed", state.timeline);
  if (!state.timeline) return;
  const end = Math.max(...moments.map(([begin, time]) => begin + time), 1e-9);
  range ??= { from: 0, to: end };
  canvas.setAttribute("aria-label", `${word("timeline")}: ${moments.length} ${word("ops")}, ${shown("seconds", end)}`);
  const w = canvas.width = canvas.clientWidth * devicePixelRatio, h = canvas.height = canvas.clientHeight * devicePixelRatio;
  const paint = canvas.getContext("2d"), style = getComputedStyle(panel);
  const at = time => (time - range.from) / (range.to - range.from) * w, lane = h / 2;
  for (const [begin, time, , key, back] of moments) {
    const x = at(begin), wide = Math.max(at(begin + time) - x, 1);
    paint.fillStyle = `hsl(${key * 47 % 360} 60% ${back ? 45 : 60}%)`;
    paint.fillRect(x, back ? lane + 2 : 16 * devicePixelRatio, wide, lane - 18 * devicePixelRatio);
  }
  paint.fillStyle = style.color;
  paint.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  paint.fillText(`${word("forward")}  ${shown("seconds", range.from)}`, 6, 12 * devicePixelRatio);
  paint.fillText(word("backward"), 6, h - 4 * devicePixelRatio);
  const text = shown("seconds", range.to);
  paint.fillText(text, w - paint.measureText(text).width - 6, 12 * devicePixelRatio);
}
function momentAt(event) {
  const box = $("times").getBoundingClientRect();
  const time = range.from + (event.clientX - box.left) / box.width * (range.to - range.from);
  const slack = (range.to - range.from) / box.width, back = event.clientY > box.top + box.height / 2 ? 1 : 0;
  return picture().moments.find(([begin, long, , , side]) => side === back && begin - slack <= time && time <= begin + long + slack);
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
    const next = neighbour(box, event.key);
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
