"""The documentation's site and pages of reports fit a browser window of 1280 and of 400 pixels.

    tests/doc_sessions/browser_test.py PROGRAM BUILD

No page may be wider than its window. A part that is too wide must scroll by itself; only tables of reports may not, because no column may be hidden.
Each link of the site must lead to an existing page and anchor. Each page is loaded in a frame of that width, in one headless Chromium,
from a server on the loopback. The test is skipped if there is no browser or no site (mkdocs is not installed).

With SCREENSHOTS=FOLDER in the environment, the test writes pictures of some pages there, for people.
"""
import functools
import http.server
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WIDTHS = [1280, 400]
SECONDS = 300
# A page with planted errors. The test fails if the browser does not report them.
PLANTED = """<!DOCTYPE html><body><div style="width:1500px">wider than its window, with links that lead nowhere</div>
<div class="wide" style="overflow-x:auto;width:100px"><table style="width:200px"><tr><td>x</td></tr></table></div>
<a href="/none.html">no page</a><a href="/planted.html#none">no anchor</a>"""
PLANTED_WRONG = 2 * len(WIDTHS) + 2
WRONG_LAYOUT = """graph(%x: f32[8,64,12,56,56]{2408448,1,200704,3584,64}):
  %batch_norm_relu_12: f32[8,64,12,56,56] = aten.relu.default(%x) {at="models/encoder/blocks/residual.py:120"}
  return %batch_norm_relu_12
"""

# Runs in the browser: loads each page in a frame, measures it, and posts the results.
HARNESS = """<!DOCTYPE html><meta charset="utf-8"><body style="margin:0"><script>
const pages = PAGES, widths = WIDTHS, seen = {pages: [], links: {}};
const load = (frame, url) => new Promise(done => { frame.onload = () => setTimeout(done, 30); frame.src = url; });
const hidden = document => [...document.querySelectorAll('.wide')].filter(t => t.scrollWidth > t.clientWidth + 1).length;
const widest = (document, width) => {
  const out = [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > width + 1);
  return out.slice(0, 3).map(e => e.outerHTML.slice(0, 120));
};
async function main() {
  for (const width of widths) {
    const frame = document.createElement('iframe');
    frame.style = `width:${width}px;height:900px;border:0`;
    document.body.replaceChildren(frame);
    for (const page of pages) {
      await load(frame, page);
      const inside = frame.contentDocument, root = inside.documentElement;
      const over = root.scrollWidth - root.clientWidth;
      seen.pages.push({page, width, over, hidden: hidden(inside), text: inside.body.innerText.length, by: over > 0 ? widest(inside, width) : []});
      if (width == widths[0]) for (const a of inside.querySelectorAll('a[href]'))
        if (a.origin == location.origin) (seen.links[a.href] ??= []).push(page);
    }
  }
  const known = {};
  const ids = async path => known[path] ??= await fetch(path).then(async r => r.ok
    ? new Set([...new DOMParser().parseFromString(await r.text(), 'text/html').querySelectorAll('[id],a[name]')].flatMap(e => [e.id, e.name]))
    : null);
  seen.broken = [];
  for (const [href, from] of Object.entries(seen.links)) {
    const url = new URL(href), there = await ids(url.pathname), anchor = decodeURIComponent(url.hash.slice(1));
    if (!there) seen.broken.push(`${from[0]}: ${href}: no page`);
    else if (anchor && !there.has(anchor)) seen.broken.push(`${from[0]}: ${href}: no anchor`);
  }
  seen.links = Object.keys(seen.links).length;
}
main().catch(e => seen.error = String(e)).finally(() => fetch('/seen', {method: 'POST', body: JSON.stringify(seen)}));
</script>"""


class Server(http.server.SimpleHTTPRequestHandler):
    """Serves the files of a folder, and stores each posted text in `posted`."""

    def __init__(self, *arguments, posted, **more):
        self.posted = posted
        super().__init__(*arguments, **more)

    def do_POST(self):
        self.posted.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def browser():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def headless(program, profile, *more):
    return [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
            "--disable-background-networking", f"--user-data-dir={profile}", *more]


def reports(program, build, folder):
    """Writes pages of crosscheck, validate and propagate below reports/, and returns their paths."""
    (folder / "reports").mkdir()
    wrong = folder / "wrong.txt"
    wrong.write_text(WRONG_LAYOUT, encoding="utf-8")
    commands = {"crosscheck": [wrong], "propagate": [ROOT / "tests/programs/mlp/mlp.pt2"]}
    if (plugin := build / "lib/zoo_ops.so").exists():
        commands["validate"] = ["zoo::keeps_order", "zoo::promotes", "--plugin", plugin]
    for command, arguments in commands.items():
        page = folder / f"reports/{command}.html"
        done = subprocess.run([program, command, *arguments, "--format", "html", "-o", page], text=True, capture_output=True)
        assert done.returncode in (0, 1), done.stderr
        yield f"/reports/{command}.html"


def looked_at(program, folder, pages):
    """Returns the browser's observations of the pages below the folder."""
    (folder / "harness.html").write_text(HARNESS.replace("PAGES", json.dumps(pages)).replace("WIDTHS", json.dumps(WIDTHS)), encoding="utf-8")
    posted = queue.Queue()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, posted=posted, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            shown = subprocess.Popen(headless(program, profile, "--window-size=1400,1000", f"http://127.0.0.1:{server.server_port}/harness.html"),
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                return posted.get(timeout=SECONDS)
            finally:
                shown.kill()
                shown.wait()
                server.shutdown()


def wrong_in(seen):
    """Returns the problems in the browser's observations, one line each."""
    if "error" in seen:
        return [f"the browser: {seen['error']}"]
    lines = list(seen["broken"])
    for row in seen["pages"]:
        at = f"{row['page']} at {row['width']} pixels"
        if row["over"] > 0:
            lines.append(f"{at}: {row['over']} pixels too wide: {row['by']}")
        if row["hidden"]:
            lines.append(f"{at}: {row['hidden']} tables hide a column")
        if row["text"] < 40:
            lines.append(f"{at}: is empty")
    return lines


def screenshots(program, folder, pages, to):
    pathlib.Path(to).mkdir(parents=True, exist_ok=True)
    for page in pages:
        for width in WIDTHS:
            # A window of Chromium has a minimum width, but a frame has none.
            frame = folder / "frame.html"
            frame.write_text(f'<body style="margin:0"><iframe src=".{page}" style="border:0;width:{width}px;height:1600px">', encoding="utf-8")
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
                name = f"{to}/{page.strip('/').replace('/', '_')}-{width}.png"
                subprocess.run(headless(program, profile, "--hide-scrollbars", f"--window-size={max(width, 500)},1600", f"--screenshot={name}",
                                        frame.as_uri()), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    program, build = (pathlib.Path(a).resolve() for a in arguments)
    shown_by = browser()
    site = build / "site"
    why = ("there is no Chromium (Debian's package chromium)" if not shown_by else
           "mkdocs is not installed (scripts/python_setup BUILD docs)" if not (build / "python-venv/bin/mkdocs").exists() else "")
    if why:
        print(f"[  PASSED  ] 0 tests.\n[  SKIPPED ] 1 test, listed below: pages in a browser: {why}")
        return 0
    subprocess.run([ROOT / "scripts/docs", build], check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as at:
        folder = pathlib.Path(at)
        shutil.copytree(site, folder / "site")
        of_site = [f"/site/{path.relative_to(site)}" for path in sorted(site.rglob("*.html")) if path.name != "404.html"]
        of_reports = list(reports(program, build, folder))
        (folder / "planted.html").write_text(PLANTED, encoding="utf-8")
        seen = looked_at(shown_by, folder, of_site + of_reports + ["/planted.html"])
        if to := os.environ.get("SCREENSHOTS"):
            screenshots(shown_by, folder, ["/site/index.html", "/site/situations.html", "/site/torch.html", *of_reports], to)
    wrong = wrong_in(seen)
    planted = [line for line in wrong if line.startswith("/planted.html")]
    wrong = [line for line in wrong if line not in planted]
    if len(planted) != PLANTED_WRONG:
        wrong.append(f"of the {PLANTED_WRONG} things that are wrong with a page made to be wrong, these were seen: {planted}")
    print(f"browser: {len(of_site)} pages of the site and {len(of_reports)} reports at {WIDTHS} pixels, {seen.get('links')} links")
    print("\n".join(wrong[:100]))
    print(f"[  PASSED  ] {int(not wrong)} tests.")
    if wrong:
        print(f"[  FAILED  ] 1 test, listed below: {len(wrong)} things wrong with pages")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
