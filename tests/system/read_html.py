"""Reads pages independently of Botyard: every element is closed where it belongs, every ID is unique, nothing is
loaded, and every link leads to a file and, in pages that have anchors, to a place that exists. Prints JSON."""

import json
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
LOADS = {"src", "srcset", "data", "poster", "background", "action", "formaction", "ping", "xlink:href"}
REFERENCES = {"aria-labelledby", "aria-describedby", "aria-controls", "for"}


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open = []
        self.problems = []
        self.ids = []
        self.references = []
        self.links = []
        self.words = []
        self.tags = set()
        self.feed(text)
        self.close()
        self.problems += [f"<{tag}> is not closed" for tag in self.open]
        self.problems += [f"the ID {its} is not unique" for its in sorted({i for i in self.ids if self.ids.count(i) > 1})]
        self.problems += [f"there is no ID {its}" for its in self.references if its not in self.ids]

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name.startswith("on") or name == "style" or name in LOADS:
                self.problems.append(f"<{tag} {name}>")
            elif name == "id":
                self.ids.append(value)
            elif name in REFERENCES:
                self.references += value.split()
            elif name == "href":
                self.links.append(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes another element")

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.words.append(data)


def main():
    root = Path(sys.argv[1])
    files = {path.relative_to(root).as_posix(): path for path in root.rglob("*.html")}
    pages = {name: Page(path.read_text(encoding="utf-8")) for name, path in files.items()}
    problems = [f"{name}: {problem}" for name, page in pages.items() for problem in page.problems]
    links = 0
    for name, page in pages.items():
        for link in page.links:
            links += 1
            parts = urlsplit(link)
            target = (Path(name).parent / unquote(parts.path)).as_posix() if parts.path else name
            resolved = (root / target).resolve()
            if parts.scheme or parts.netloc or link.startswith("/"):
                problems.append(f"{name}: {link} leads elsewhere")
            elif not resolved.is_file() or root.resolve() not in resolved.parents:
                problems.append(f"{name}: {link} leads nowhere")
            elif parts.fragment and parts.fragment not in pages[resolved.relative_to(root.resolve()).as_posix()].ids:
                problems.append(f"{name}: {link} leads to no place")
    words = {name: " ".join("".join(page.words).split()) for name, page in pages.items()}
    print(json.dumps({"problems": problems, "links": links, "words": words}))


if __name__ == "__main__":
    main()
