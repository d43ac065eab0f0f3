"""The built site in a browser: nothing is wider than a screen.

It needs the folder of the site in the variable BUILT_SITE, and Chromium.
"""

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="There is no Chromium")

# Opens each page in a frame and writes the widths into the title.
PROBE = """<!doctype html><body><script>
const open = ([page, width, selector]) => new Promise(done => {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width: ${width}px; height: 800px; border: 0`;
  frame.onload = () => {
    const box = frame.contentDocument.querySelector(selector);
    const found = [box.scrollWidth, box.clientWidth];
    frame.remove();
    done(found);
  };
  frame.src = page;
  document.body.append(frame);
});
Promise.all(PAGES.map(open)).then(found => { document.title = JSON.stringify(found); });
</script>"""


@pytest.fixture
def widths(tmp_path):
    """Give the widths of the contents and of the box, for page, width and selector."""

    def measure(pages):
        probe = tmp_path / "probe.html"
        pages = [(path.as_uri(), width, box) for path, width, box in pages]
        probe.write_text(PROBE.replace("PAGES", json.dumps(pages)), encoding="utf-8")
        command = [
            *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu"),
            "--disable-background-networking",
            "--allow-file-access-from-files",
            f"--user-data-dir={tmp_path / 'profile'}",
            *("--virtual-time-budget=300000", "--dump-dom", probe.as_uri()),
        ]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        (title,) = re.findall("<title>(.*)</title>", run.stdout)
        return json.loads(html.unescape(title))

    return measure


@pytest.fixture
def site():
    if "BUILT_SITE" not in os.environ:
        pytest.skip("BUILT_SITE does not name the folder of a built site")
    return Path(os.environ["BUILT_SITE"]).resolve()


def test_wide_pages_are_found(widths, tmp_path):
    wide, narrow = tmp_path / "wide.html", tmp_path / "narrow.html"
    wide.write_text("<!doctype html><p style='margin: 0; width: 900px'>wide</p>")
    narrow.write_text("<!doctype html><p>narrow</p>")
    pages = [(path, 400, "html") for path in (wide, narrow)]
    assert [contents > box for contents, box in widths(pages)] == [True, False]


@pytest.mark.parametrize("width", [400, 1280])
def test_no_page_is_wider_than_the_screen(widths, site, width):
    paths = [path for path in site.rglob("*.html") if "_static" not in path.parts]
    found = widths([(path, width, "html") for path in paths])
    pairs = zip(paths, found, strict=True)
    assert [path.name for path, (contents, box) in pairs if contents > box] == []


def test_the_table_of_measures_fits_or_scrolls(widths, site):
    page, table = site / "guide" / "which_measure.html", ".table-wrapper:has(.wide)"
    large, small = widths([(page, 1280, table), (page, 400, table)])
    assert large[0] == large[1]
    assert small[0] > small[1]
