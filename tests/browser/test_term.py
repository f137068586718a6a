"""Every page of a class with a term behind it: those that links lead to from the first one, for a teacher, a student
and a guest, on a phone and a desktop, light and dark."""

import os
import re
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from site_class import ClassInBrowser

SCREENSHOTS = os.environ.get("SCREENSHOTS")
SIZES = {390: 844, 1280: 900}
PASSWORD = "demonstration"
# Of pages that differ in numbers alone, this many are opened.
ALIKE = 1
# The accessibility is checked where most differs.
CHECKED = [(390, "light"), (1280, "dark")]


class Term(ClassInBrowser):
    maxDiff = 0

    def signed_in(self, account):
        context = self.browser.new_context(viewport={"width": 1280, "height": 900}, base_url=self.server.address)
        self.addCleanup(context.close)
        page = context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(f"{page.url}: {error}"))
        page.on("request", lambda request: request.url.startswith((self.server.address, "data:", "blob:"))
                or self.wrong.append(f"{page.url} requests {request.url}"))
        page.goto("/login")
        page.fill("#account", account)
        page.fill("#password", PASSWORD)
        page.press("#password", "Enter")
        page.wait_for_url("**/")
        return page

    def pages(self, page):
        """Opens every page that links lead to, and yields its address."""
        waiting, seen = ["/"], {}
        while waiting:
            address = waiting.pop(0)
            kind = re.sub(r"[0-9a-f]{8,}|\d+|=[^&]*", "N", re.sub(r"^/e/[^/]+/", "/", address))
            if seen.get(kind, 0) >= ALIKE:
                continue
            seen[kind] = seen.get(kind, 0) + 1
            answer = page.request.get(address)
            self.assertLess(answer.status, 400, f"a link leads to {address}")
            if not answer.headers.get("content-type", "").startswith("text/html"):
                continue
            page.goto(address)
            links = page.evaluate("[...document.links].map(link => link.href)")
            for link in links:
                if link.startswith(self.server.address):
                    waiting.append(link.removeprefix(self.server.address).split("#")[0])
            yield address

    def test_every_page_fits_and_is_accessible(self):
        for role, account in [("teacher", "9002"), ("student", "1001"), ("guest", "9003")]:
            self.wrong = []
            page = self.signed_in(account)
            opened = 0
            for address in self.pages(page):
                opened += 1
                for width, height in SIZES.items():
                    page.set_viewport_size({"width": width, "height": height})
                    for scheme in ["light", "dark"]:
                        page.emulate_media(color_scheme=scheme)
                        what = f"{role}: {address}, {width}, {scheme}"
                        wide = page.evaluate("document.documentElement.scrollWidth")
                        if wide > width:
                            self.wrong.append(f"{what}: {wide} wide")
                        if (width, scheme) in CHECKED:
                            self.wrong += [f"{what}: {found}" for found in violations(page)]
                        if SCREENSHOTS:
                            name = re.sub(r"\W+", "-", address).strip("-")[:60] or "home"
                            page.screenshot(path=Path(SCREENSHOTS) / f"{role}-{name}-{width}-{scheme}.png",
                                            full_page=True)
            self.assertEqual(self.wrong, [], "\n".join(self.wrong))
            self.assertGreater(opened, 5, role)


def violations(page):
    """What axe-core finds."""
    rules = Axe().run(page).response["violations"]
    return [f"{rule['id']}: {node['html'][:200]}" for rule in rules for node in rule["nodes"]]
