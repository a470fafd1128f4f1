// The timeline below the picture.

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
