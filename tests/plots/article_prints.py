"""Which article a quotation is from, without the articles' texts, which are not ours to publish.

`tests/data/articles/NNN.prints` has the first three bytes of the SHA-256 of every eight characters
of an article, in base64: after NFKC, and without white space. A quotation is an article's if all
of its own eights are there; that a foreign one of twenty characters is, by chance, has a
probability below 1e-40.

    article_prints.py NNN ARTICLE.txt    writes the prints of an article
"""

import base64
import hashlib
import re
import sys
import unicodedata
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "data" / "articles"
LENGTH, BYTES, LINE = 8, 3, 96


def plain(text):
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


def prints(text):
    """The set of the prints of a text."""
    text = plain(text)
    return {hashlib.sha256(text[i:i + LENGTH].encode()).digest()[:BYTES]
            for i in range(len(text) - LENGTH + 1)}


def known():
    """{article: its prints}."""
    table = {}
    for path in sorted(FOLDER.glob("*.prints")):
        data = base64.b64decode(path.read_text(encoding="ascii").replace("\n", ""))
        table[path.stem] = {data[i:i + BYTES] for i in range(0, len(data), BYTES)}
    return table


def articles_of(quotation):
    """The articles that a quotation is from; it may leave something out, as `...`."""
    parts = [prints(part) for part in quotation.split("...")]
    return [name for name, all_of in known().items() if all(part <= all_of for part in parts)]


def main(arguments):
    name, article = arguments
    data = b"".join(sorted(prints(Path(article).read_text(encoding="utf-8"))))
    text = base64.b64encode(data).decode()
    lines = [text[i:i + LINE] for i in range(0, len(text), LINE)]
    (FOLDER / f"{name}.prints").write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
