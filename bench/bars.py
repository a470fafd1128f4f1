"""Bars in groups, as SVG: each number as a multiple of the smallest of its group."""

from cinta.tour.chart import COLORS, STYLE, WIDTH, text

LEFT, RIGHT, TOP, BAR, GAP = 24, WIDTH - 70, 60, 16, 44


def chart(rows, titles, title):
    """An SVG picture, as text, of rows by title, in which each peer has a number."""
    longest = max(max(row.values()) / min(row.values()) for row in rows.values())
    lines, y = [text(LEFT, 30, title)], TOP
    for name, row in rows.items():
        least = min(row.values())
        lines.append(text(LEFT, y + 8, name))
        y += 18
        for peer, value in row.items():
            width = (RIGHT - LEFT) * value / least / longest
            color = COLORS[[*titles].index(peer) % len(COLORS)] if peer in titles else "#ced4da"
            lines.append(
                f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="13" fill="{color}"/>'
            )
            words = f"{value / least:.2f}  {titles.get(peer, peer)}"
            inside = width > (RIGHT - LEFT) / 2
            x = LEFT + (8 if inside else width + 6)
            lines.append(text(x, y + 11, words).replace("<text", f'<text class="{inside}"'))
            y += BAR
        y += GAP - BAR
    style = STYLE + "text { font-size: 12px } .True { fill: #fff }"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}"><style>{style}</style>'
    )
    return "\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *lines, "</svg>", ""])
