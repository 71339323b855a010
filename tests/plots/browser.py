"""A page in a headless Chromium, at a width of one's choice: what a script finds out in it."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")

# A window has a least width, a frame has none. Errors of the page are heard from its beginning.
LISTEN = """<script>
const faults = [];
addEventListener("error", (event) => faults.push(event.message));
for (const level of ["error", "warn"]) console[level] = (...words) => faults.push(words.join(" "));
</script>"""
ASK = """<script>
(async () => {
  const found = await (() => { %s })();
  parent.postMessage(JSON.stringify({ found, faults }), "*");
})();
</script>"""
FRAME = """<!DOCTYPE html><meta charset="utf-8"><body style="margin:0"><pre id="told"></pre><script>
addEventListener("message", (event) => {
  document.getElementById("told").textContent = event.data;
});
</script><iframe style="border:0;width:%dpx;height:900px" srcdoc="%s"></iframe></body>"""


def program():
    """The path of Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def ask(page, script, width, folder):
    """(what the script returns in the page, errors that the page's console had)."""
    text = page.replace("<head>", "<head>" + LISTEN, 1)
    text = text.replace("</body>", ASK % script + "</body>", 1)
    file = Path(folder) / "frame.html"
    file.write_text(FRAME % (width, html.escape(text)), encoding="utf-8")
    shown = subprocess.run(
        [program(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--hide-scrollbars",
         f"--user-data-dir={folder}/profile", "--window-size=1400,1000",
         "--virtual-time-budget=5000", "--dump-dom", file.as_uri()],
        capture_output=True, text=True, timeout=120, check=True).stdout
    told = re.search(r'<pre id="told">(.*?)</pre>', shown, re.S)
    answer = json.loads(html.unescape(told[1]))
    return answer["found"], answer["faults"]
