#!/usr/bin/env -S python3 -B
"""Takes the code of documents apart, for a compiler to judge.

    snippets.py FOLDER DOCUMENT...

Each ```cpp block of a document is a whole program or plugin: it becomes FOLDER/<document>_<n>.cpp. If the text behind
it is "prints", the block after that is its output, <document>_<n>.expected. A block with a plugin is called
plugin_<n>.cpp. A ```cmake block becomes <document>_<n>.cmake.
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```\n", re.M | re.S)


def write_snippets(folder, document):
    name = re.sub(r"\W", "_", document.stem.lower())
    text = document.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    for number, block in enumerate(blocks, 1):
        language, code = block.groups()
        if language == "cpp":
            stem = f"plugin_{name}_{number}" if "ERSATZ_PLUGIN(" in code else f"{name}_{number}"
            (folder / f"{stem}.cpp").write_text(f'#line {text[:block.start(2)].count(chr(10)) + 1} "{document}"\n{code}')
            if number < len(blocks) and text[block.end():blocks[number].start()].strip() == "prints":
                (folder / f"{stem}.expected").write_text(blocks[number].group(2))
        elif language == "cmake":
            (folder / f"{name}_{number}.cmake").write_text(code)


def main(arguments):
    folder = pathlib.Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for document in arguments[1:]:
        write_snippets(folder, pathlib.Path(document))


if __name__ == "__main__":
    main(sys.argv[1:])
