"""The site in a browser, opened from disk: search, languages, copying, narrow screens, contrast."""

import pytest

from tests.explain.browser import PATIENCE, STILL, browser
from tests.website.building import SITE_IS_BUILT, built
from tools.website.words import LANGUAGES

pytestmark = SITE_IS_BUILT
PAGES = (
    "index.html",
    "guides/derivatives.html",
    "gallery/index.html",
    "gallery/hmc.html",
    "reference/tf.nn.html",
    "deviations/nn.html",
)
SEARCHED = {  # words, and the page that they are to find first or near
    "en": ("softsign", "tf.nn.html"),
    "es": ("hessianos dispersos", "derivatives.html"),
    "pt": ("hessianos esparsos", "derivatives.html"),
}

UNNAMED = """() =>
    [...document.querySelectorAll("button, a[href], input:not([type=hidden]), select")]
    .filter((each) => each.checkVisibility())
    .filter((each) => !(each.textContent.trim() || each.getAttribute("aria-label") || each.title
        || each.placeholder || (each.labels && each.labels.length)
        || each.querySelector("img[alt], svg[aria-label]")))
    .map((each) => each.outerHTML.slice(0, 200))"""

PALE = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
  const parsed = (color, under) => {
    canvas.fillStyle = `rgb(${under.join(",")})`
    canvas.fillRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }
  const behind = (element) => {
    const above = []
    for (let each = element; each; each = each.parentElement) above.unshift(each)
    return above.reduce((under, each) => parsed(getComputedStyle(each).backgroundColor, under),
                        [255, 255, 255])
  }
  const light = (color) => color
    .map((each) => each / 255)
    .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
    .reduce((sum, each, place) => sum + each * [0.2126, 0.7152, 0.0722][place], 0)
  const found = new Map()
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
  for (let count = 0; walker.nextNode() && count < 3000; count++) {
    const element = walker.currentNode.parentElement
    if (!walker.currentNode.data.trim()) continue
    if (!element.checkVisibility({ opacityProperty: true })) continue
    if (element.closest(".headerlink, script, style")) continue
    const under = behind(element)
    const [a, b] = [light(parsed(getComputedStyle(element).color, under)), light(under)]
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    const what = `${element.tagName}.${element.className}`
    if (ratio < 4.5 && !found.has(what)) {
      found.set(what, `${what} ${ratio.toFixed(2)} ${element.textContent.slice(0, 30)}`)
    }
  }
  return [...found.values()]
}"""


@pytest.fixture(scope="module")
def chromium():
    with browser() as found:
        yield found


@pytest.fixture
def page(chromium):
    """A page that fails the test if a script fails or something cannot be loaded."""
    context = chromium.new_context(viewport={"width": 1300, "height": 800})
    context.set_default_timeout(PATIENCE)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", lambda request: wrong.append(request.url) if lost(request) else None)
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    assert wrong == []


def lost(request):
    """Whether a request failed for another reason than that the page was left before its end."""
    return request.failure != "net::ERR_ABORTED"


def address(path, language="en"):
    return (built() / ("" if language == "en" else language) / path).as_uri()


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_finds_pages_in_the_language(page, language):
    words, expected = SEARCHED[language]
    page.goto(address("index.html", language))
    page.click("[data-md-component=search-query]")
    page.keyboard.type(words)
    result = page.locator(f".md-search-result__link[href*='{expected}']").first
    result.wait_for()
    result.click()
    page.wait_for_url(f"**/{expected}**")


@pytest.mark.parametrize(("language", "name"), LANGUAGES.items())
def test_the_switch_of_languages_stays_on_the_page(page, language, name):
    start = "es" if language == "en" else "en"
    page.goto(address("guides/derivatives.html", start))
    page.hover(".md-select button")
    page.click(f".md-select__link:has-text('{name}')")
    page.wait_for_url(address("guides/derivatives.html", language))
    assert page.get_attribute("html", "lang")[:2] == language


def test_a_copied_example_has_neither_prompts_nor_results(page):
    page.goto(address("index.html"))
    page.locator(".md-code__button").first.click()
    page.click("[data-md-component=search-query]")
    page.evaluate("document.body.append(document.createElement('textarea'))")
    page.keyboard.press("Escape")
    page.locator("body > textarea").focus()
    page.keyboard.press("Control+V")
    page.wait_for_function("document.querySelector('body > textarea').value")
    copied = page.locator("body > textarea").input_value()
    assert copied.startswith("import cinta as tf\nw = tf.Variable([[1.0], [2.0]])\n")
    assert "\nwith tf.GradientTape() as tape:\n    loss = " in copied
    assert copied.rstrip().endswith("tape.gradient(loss, w).numpy()")


@pytest.mark.parametrize("path", PAGES)
def test_pages_fit_a_narrow_screen(page, path):
    page.set_viewport_size({"width": 360, "height": 700})
    page.goto(address(path))
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0
    page.click("label.md-header__button[for=__drawer]")
    page.locator(".md-sidebar--primary .md-nav__link:visible").nth(2).wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_text_stands_out_from_what_is_behind_it(page, path, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(address(path))
    expected = {"light": "default", "dark": "slate"}[scheme]
    page.wait_for_selector(f"body[data-md-color-scheme={expected}]")
    page.wait_for_function(STILL)
    assert page.evaluate(PALE) == []


@pytest.mark.parametrize("path", PAGES)
def test_what_can_be_pressed_has_a_name(page, path):
    page.goto(address(path))
    page.wait_for_selector("body")
    assert page.evaluate(UNNAMED) == []


def test_the_version_and_the_link_to_the_source_are_there(page):
    page.goto(address("deviations/nn.html", "es"))
    assert "cinta 0." in page.locator(".md-copyright").inner_text()
    source = page.locator(".md-content__button").first.get_attribute("href")
    assert source.endswith("/edit/main/docs/es/deviations/nn.md")
