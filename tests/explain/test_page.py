"""The page of pictures in a browser: clicks, keys, search, colors, themes, languages, steps."""

import numpy as np
import pytest

import cinta as tf
from tests.explain.browser import PATIENCE, STILL, browser

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 780}

CONTRASTS = """
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = color => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(x => x / 255)
      .map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const found = [];
  for (const node of document.querySelectorAll(".node:not(.dim)")) {
    const back = getComputedStyle(node.querySelector(":scope > rect")).fill;
    for (const text of node.querySelectorAll(":scope > text"))
      found.push([text.textContent, contrast(getComputedStyle(text).fill, back)]);
  }
  const behind = element => {
    for (let each = element; each; each = each.parentElement) {
      const color = getComputedStyle(each).backgroundColor;
      if (color !== "rgba(0, 0, 0, 0)") return color;
    }
    return "white";
  };
  const around = "h1, label, button, select, input, p, h2, dt, dd, td, #legend";
  for (const each of document.querySelectorAll(around))
    if (each.textContent && each.offsetParent)
      found.push([each.textContent, contrast(getComputedStyle(each).color, behind(each))]);
  return found;
}
"""


@pytest.fixture(scope="module")
def chromium():
    with browser() as found:
        yield found


@pytest.fixture
def opened(chromium, tmp_path):
    """A function that opens the page of a thing; at the end nothing may stand in the console."""
    said = []
    pages = []

    def opening(thing, size=WIDE, scheme="light", **options):
        path = tmp_path / "page.html"
        tf.debugging.show(thing, path, **options)
        page = chromium.new_page(viewport=size, color_scheme=scheme)
        page.set_default_timeout(PATIENCE)
        pages.append(page)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on(
            "request",
            lambda request: said.append(request.url) if "page.html" not in request.url else None,
        )
        page.goto(path.as_uri())
        page.wait_for_selector("body[data-ready]")
        return page

    yield opening
    for page in pages:
        page.close()
    assert said == []


def trained(count=3):
    """Drawings of the steps of a small training."""
    rng = np.random.default_rng(0)
    w = tf.Variable(rng.normal(size=(4, 3)).astype(np.float32), name="weights")
    x = tf.constant(rng.normal(size=(8, 4)).astype(np.float32))
    drawings = []
    with tf.debugging.explaining():
        for _ in range(count):
            with tf.GradientTape() as tape:
                h = x @ w
                for _ in range(3):
                    h = h + tf.tanh(h)
                loss = tf.reduce_mean(h * h)
            drawings.append(tape.draw(loss))
            w.assign_sub(0.01 * tape.gradient(loss, w))
    return drawings


def box(page, title, back=""):
    return page.locator(
        f'.node[data-back="{back}"]', has=page.locator(f':scope > text:text-is("{title}")')
    )


def texts(page, selector):
    return page.locator(selector).all_text_contents()


def test_a_click_unfolds_a_line_to_its_ops_and_tells_of_it(opened):
    page = opened(trained()[0])
    line = box(page, "h = h + tf.tanh(h)")
    assert page.locator(".node").count() == 5
    line.click()
    assert page.locator(".node").count() == 7
    assert {"Tanh", "AddV2"} <= set(texts(page, ".node .node > text:first-of-type"))
    assert "test_page.py" in page.locator("#panel").inner_text()
    assert "float32[8,3]" in page.locator("#panel").inner_text()
    assert line.get_attribute("aria-expanded") == "true"
    line.locator(":scope > text").first.click()
    assert page.locator(".node").count() == 5


def test_hovering_shows_the_line_its_shape_and_what_was_measured(opened):
    page = opened(trained()[0])
    box(page, "h = x @ w").hover()
    tip = page.locator("#tip").inner_text()
    assert tip.startswith("h = x @ w\ntest_page.py:")
    assert "float32[8,3]" in tip
    assert "gradient norm" in tip


def test_search_dims_what_does_not_match_and_goes_to_what_does(opened):
    page = opened(trained()[0])
    page.keyboard.press("/")
    page.keyboard.type("tanh")
    assert page.locator("#status").inner_text() == "2 found"
    assert page.locator(".node:not(.dim)").count() == 1
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert texts(page, ".node.chosen > text:first-of-type") == ["Tanh"]
    page.locator("#search").fill("")
    assert page.locator(".node.dim").count() == 0


def test_keys_walk_unfold_zoom_and_move(opened):
    page = opened(trained()[0])
    before = page.locator("#all").get_attribute("transform")
    page.locator("#picture").hover()
    page.keyboard.press("+")
    zoomed = page.locator("#all").get_attribute("transform")
    page.keyboard.press("ArrowDown")
    moved = page.locator("#all").get_attribute("transform")
    page.keyboard.press("0")
    assert len({before, zoomed, moved}) == 3
    box(page, "h = x @ w").focus()
    page.keyboard.press("ArrowDown")
    assert (
        page.evaluate("document.activeElement.querySelector('text').textContent")
        == "h = h + tf.tanh(h)"
    )
    page.keyboard.press("Enter")
    assert box(page, "Tanh").count() == 1
    assert (
        page.evaluate("document.activeElement.querySelector('text').textContent")
        == "h = h + tf.tanh(h)"
    )


def test_the_wheel_zooms_and_dragging_moves(opened):
    page = opened(trained()[0])
    place = page.locator("#all")
    page.mouse.move(300, 700)
    page.mouse.wheel(0, -300)
    zoomed = place.get_attribute("transform")
    assert "scale" in zoomed
    page.mouse.down()
    page.mouse.move(350, 640)
    page.mouse.up()
    assert place.get_attribute("transform") != zoomed


@pytest.mark.parametrize("measure", ["bytes", "seconds", "norm", "count"])
def test_colors_tell_what_was_measured(opened, measure):
    page = opened(trained()[0])
    page.select_option("#color", measure)
    heats = page.eval_on_selector_all(".node.heat", "all => all.map(x => x.style.cssText)")
    assert any("100%" in heat for heat in heats)
    assert page.locator("#legend").is_visible()
    page.select_option("#color", "")
    assert page.locator(".node.heat").count() == 0


def test_forward_and_backward_stand_side_by_side(opened):
    page = opened(trained()[0])
    page.click("#backward")
    forward, backward = box(page, "h = x @ w"), box(page, "h = x @ w", "1")
    assert forward.bounding_box()["y"] == backward.bounding_box()["y"]
    assert forward.bounding_box()["x"] < backward.bounding_box()["x"]
    assert "‖g‖" in backward.get_attribute("aria-label")
    assert texts(page, ".side") == ["Forward", "Backward"]
    assert page.locator(".arrow.back").count() == 3
    assert "dim" in box(page, "data", "1").get_attribute("class")


def test_the_slider_chooses_the_step(opened):
    page = opened(trained(3))
    page.select_option("#color", "norm")
    norms = []
    for step in range(3):
        page.locator("#step").fill(str(step))
        assert page.locator("#step-name").inner_text() == f"Step {step + 1} / 3"
        norms.append(box(page, "weights").get_attribute("aria-label"))
    assert len(set(norms)) == 3
    box(page, "weights").click()
    assert page.locator(".chart").count() == 1


def test_a_single_tape_has_no_slider(opened):
    page = opened(trained(1))
    assert not page.locator("#steps").is_visible()


def test_the_timeline_shows_ops_and_leads_to_their_boxes(opened):
    page = opened(trained()[0])
    page.click("#timeline")
    times = page.locator("#times")
    assert times.get_attribute("aria-label").startswith("Timeline: 18 ops")
    painted = "c => new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size"
    assert times.evaluate(painted) > 10
    place = times.bounding_box()
    page.mouse.click(place["x"] + 1, place["y"] + 30)
    assert texts(page, ".node.chosen > text:first-of-type") == ["h = x @ w"]


def test_the_language_can_be_changed(opened):
    w = tf.Variable(2.0)
    with tf.debugging.explaining() as found:
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(w)
        tape.gradient(y, w)
    page = opened(found)
    for lang, search, headline in [
        ("es", "Buscar", "El gradiente de"),
        ("pt", "Procurar", "O gradiente de"),
        ("en", "Search", "The gradient of"),
    ]:
        page.select_option("#language", lang)
        assert page.locator("html").get_attribute("lang") == lang
        assert search in page.locator("header").inner_text()
        assert headline in page.locator("#panel").inner_text()
        assert page.locator("#theme").get_attribute("aria-label")


def test_the_cut_is_red_and_at_the_line(opened):
    w = tf.Variable(2.0)
    with tf.debugging.explaining() as found:
        with tf.GradientTape(persistent=True) as tape:
            y = tf.stop_gradient(w) * 2.0
            z = tf.round(w)
        tape.gradient(y, w)
        tape.gradient(z, w)
    page = opened(found)
    assert texts(page, ".cut > text:first-of-type") == [
        "y = tf.stop_gradient(w) * 2.0",
        "StopGradient",
    ]
    assert page.locator(".scissors").count() == 2
    page.locator(".why").nth(1).click()
    assert "z = tf.round(w)" in texts(page, ".cut > text:first-of-type")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_all_text_can_be_read(opened, scheme, size):
    page = opened(trained(), size, scheme)
    found = []
    for measure in ["", "bytes", "norm"]:
        page.select_option("#color", measure)
        box(page, "h = h + tf.tanh(h)").locator(":scope > text").first.click()
        page.wait_for_function(STILL)  # colors have faded in
        found += page.evaluate(CONTRASTS)
    assert len(found) > 50
    assert [(text, ratio) for text, ratio in found if ratio < 4.5] == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= size["width"]


def test_the_theme_can_be_switched(opened):
    page = opened(trained()[0], scheme="light")
    color = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(color)
    page.select_option("#theme", "dark")
    assert page.evaluate(color) != light
    page.select_option("#theme", "light")
    assert page.evaluate(color) == light


def test_every_control_has_a_name_for_screen_readers(opened):
    page = opened(trained())
    controls = "() => [...document.querySelectorAll('button, select, input, [role=button]')]"
    named = "each.ariaLabel || each.labels?.length || each.tagName === 'BUTTON' && each.innerText"
    nameless = f"{controls}.filter(each => !({named})).map(each => each.outerHTML)"
    assert page.evaluate(f"{controls}.length") > 10
    assert page.evaluate(nameless) == []


def test_many_ops_are_drawn_soon_and_can_be_unfolded(opened):
    w = tf.Variable(0.5)
    with tf.GradientTape(persistent=True) as tape:
        y = w * 1.0
        for _ in range(5000):
            y = tf.tanh(y * 0.5)
    page = opened(tape.draw(y))
    assert 5 < page.locator(".node").count() < 302
    page.click("#unfold")
    page.locator("#search").fill("tanh")
    assert page.locator("#status").inner_text() == "5157 found"
    assert box(page, "Tanh").count() > 20
    assert page.locator(".node").count() < 302  # for boxes out of sight are not drawn
    first = box(page, "Tanh").first.get_attribute("data-id")
    page.locator("#picture").hover()
    for _ in range(40):
        page.mouse.wheel(0, 300)
    assert page.locator(f'.node[data-id="{first}"]').count() == 0  # too small to be seen
    page.keyboard.press("0")
    for _ in range(60):
        page.mouse.wheel(0, -300)
    assert box(page, "Tanh").count() > 0


def test_a_page_without_explanations_says_so(opened):
    with tf.debugging.explaining() as found:
        pass
    page = opened(found)
    assert "Nothing to explain." in page.locator("#panel").inner_text()
    assert page.locator(".node").count() == 0


def test_a_page_offers_only_what_it_can_show(opened):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tf.reduce_sum(tf.exp(x) * 2.0)
    page = opened(tape)
    assert texts(page, "#color option") == ["role", "bytes kept"]
    assert not page.locator("#backward").is_visible()
    assert not page.locator("#timeline").is_visible()
    assert not page.locator("#pictures").is_visible()
