// The data of the page, where boxes stand, and how they are drawn.
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
/** Where a box stands between the least and the most of what colors tell, from 0 to 1. */
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
