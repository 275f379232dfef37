"""scripts/docs puts the pages of the repository into the documentation site."""
import importlib.machinery
import importlib.util
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("site_of_docs", str(ROOT / "scripts/docs"))
site = importlib.util.module_from_spec(importlib.util.spec_from_loader("site_of_docs", loader))
loader.exec_module(site)

PLACES = {"README.md": "index.md", "docs/README.md": "situations.md", "docs/torch.md": "torch.md", "docs/jobs/debug.md": "jobs/debug.md"}


class Links(unittest.TestCase):
    def test_page_link_leads_to_its_site_place(self):
        self.assertEqual(site.staged("[a](docs/torch.md#b)\n", "README.md", PLACES), "[a](torch.md#b)\n")
        self.assertEqual(site.staged("[a](../../README.md)\n", "docs/jobs/debug.md", PLACES), "[a](../index.md)\n")
        self.assertEqual(site.staged("[a](README.md)\n", "docs/torch.md", PLACES), "[a](situations.md)\n")

    def test_non_page_link_becomes_its_path(self):
        self.assertEqual(site.staged("[the list](../cmake/dependencies.txt)\n", "docs/torch.md", PLACES), "the list (`cmake/dependencies.txt`)\n")
        self.assertEqual(site.staged("[`a.h`](../runtime/a.h)\n", "docs/torch.md", PLACES), "`a.h`\n")

    def test_picture_of_page_is_in_site(self):
        shown = site.pictures(ROOT)
        self.assertEqual(shown["docs/notebook.png"], "notebook.png")
        self.assertEqual(site.staged("![a](notebook.png)\n", "docs/reports.md", {**PLACES, **shown, "docs/reports.md": "reports.md"}), "![a](notebook.png)\n")

    def test_code_and_links_elsewhere_stay(self):
        for text in ("```\n[a](docs/torch.md)\n```\n", "[a](https://example.org/b)\n", "[a](#b)\n"):
            self.assertEqual(site.staged(text, "README.md", PLACES), text)


if __name__ == "__main__":
    unittest.main()
