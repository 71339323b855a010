"""What a test asks of an HTML page, read with the standard library alone."""

from html.parser import HTMLParser

VOID = {"meta", "link", "br", "wbr", "img", "hr", "input"}
LOADS = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("use", "href"),
         ("use", "xlink:href"), ("image", "href"), ("image", "xlink:href"), ("source", "src")}


class Page(HTMLParser):
    """Reads a page: tags balanced, ids, links and what a browser would load."""

    def __init__(self, text):
        super().__init__()
        self.open, self.faults, self.ids, self.links, self.loads = [], [], [], [], []
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        for key, value in attrs:
            if key == "id":
                self.ids.append(value)
            if tag == "a" and key == "href":
                self.links.append(value)
            if (tag, key) in LOADS:
                self.loads.append(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} closes another tag")
