"""Download the JavaScript libraries of the pages with npm, and store them with the pages.

    python tools/vendor.py           # fetch the newest ones
    python tools/vendor.py htm       # only this one; the others stay as they are
    python tools/vendor.py check     # are the files as they were noted?

The pages' security policy forbids import maps, so bare imports are rewritten to relative ones.
A library of a hundred files is bundled into one by esbuild.
The display font is noted in the manifest, too, but not on npm: it is a subset that was cut by hand.
"""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1] / "src/handful/web/static/vendor"
# package -> files to copy, and their names here
WANTED = {
    "preact": {"dist/preact.mjs": "preact.mjs", "hooks/dist/hooks.mjs": "hooks.mjs"},
    "htm": {"dist/htm.mjs": "htm.mjs"},
    "@preact/signals-core": {"dist/signals-core.mjs": "signals-core.mjs"},
    "@preact/signals": {"dist/signals.mjs": "signals.mjs"},
    "qrcode-generator": {"dist/qrcode.mjs": "qrcode.mjs"},
}
# package -> bundle of it and its imports; pages load it on demand
BUNDLED = {"@observablehq/plot": "plot.mjs"}
RULE = "\n" + "-" * 72 + "\n\n"
NAMES = {
    "preact": "preact.mjs",
    "preact/hooks": "hooks.mjs",
    "@preact/signals-core": "signals-core.mjs",
}


def relative(text: str) -> str:
    """Return a library's text with relative imports and without its source map."""
    for name, file in NAMES.items():
        text = re.sub(rf'from\s*"{re.escape(name)}"', f'from"./{file}"', text)
    return re.sub(r"\n//# sourceMappingURL=.*\n?", "\n", text)


def fetch(package: str, folder: Path) -> tuple[dict[str, object], str]:
    """Download a library and write its files; return its manifest entry and licence."""
    output = subprocess.run(
        ["npm", "pack", "--json", package], cwd=folder, capture_output=True, text=True, check=True
    )
    with tarfile.open(folder / json.loads(output.stdout)[0]["filename"]) as archive:

        def read(name: str) -> str:
            member = archive.extractfile(f"package/{name}")
            return member.read().decode() if member else ""

        about = json.loads(read("package.json"))
        names = archive.getnames()
        files = {}
        for source, name in WANTED[package].items():
            (HERE / name).write_text(relative(read(source)))
            files[name] = digest(HERE / name)
        licence = next((one for one in names if one.upper().startswith("PACKAGE/LICEN")), "")
        text = read(licence.removeprefix("package/")) if licence else head_of(read(source))
    entry = {"name": package, "version": about["version"], "license": about["license"]}
    return entry | {"files": files}, text


def bundle(package: str, folder: Path) -> tuple[dict[str, object], str]:
    """Bundle a library; return its manifest entry and the licences of everything in it."""
    npm = ["npm", "install", "--ignore-scripts", "--no-save", "--prefix", str(folder)]
    subprocess.run([*npm, package, "esbuild"], capture_output=True, check=True)
    start, output, about = folder / "start.js", HERE / BUNDLED[package], folder / "about.json"
    start.write_text(f'export * from "{package}";\n')
    esbuild = next(folder.glob("node_modules/@esbuild/*/bin/esbuild"))
    flags = ["--bundle", "--minify", "--format=esm", "--legal-comments=none"]
    subprocess.run(
        [esbuild, start.name, *flags, f"--metafile={about}", f"--outfile={output}"],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    files = json.loads(about.read_text())["inputs"]
    found = (re.match(r"node_modules/(?:@[^/]+/)?[^/]+", one) for one in files)
    licences: dict[str, list[str]] = {}
    for home in sorted({folder / one[0] for one in found if one}):
        package_json = json.loads((home / "package.json").read_text())
        texts = [one.read_text() for one in sorted(home.iterdir()) if one.stem.upper() == "LICENSE"]
        text = texts[0] if texts else package_json["license"]
        licences.setdefault(text.strip(), []).append(f"{package_json['name']} {package_json['version']}")
        if package_json["name"] == package:
            entry = {"name": package, "version": package_json["version"], "license": package_json["license"]}
    entry["files"] = {output.name: digest(output)}
    return entry, "\n\n".join(f"{', '.join(by)}:\n\n{text}" for text, by in licences.items())


def head_of(text: str) -> str:
    """Return the leading comment of a file: some libraries have their licence only there."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.lstrip("/ -"))
    return "\n".join(lines)


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def changed() -> list[str]:
    """Return the files that differ from the manifest."""
    noted = json.loads((HERE / "manifest.json").read_text())
    return [name for one in noted for name, wanted in one["files"].items() if digest(HERE / name) != wanted]


def main() -> int:
    if sys.argv[1:] == ["check"]:
        found = changed()
        sys.stdout.write("".join(f"{name} was changed\n" for name in found) or "all as noted\n")
        return 1 if found else 0
    HERE.mkdir(parents=True, exist_ok=True)
    noted = {one["name"]: one for one in json.loads((HERE / "manifest.json").read_text())}
    licences = dict(zip(noted, (HERE / "LICENSES.txt").read_text().split(RULE), strict=True))
    with tempfile.TemporaryDirectory() as folder:
        for package in sys.argv[1:] or [*WANTED, *BUNDLED]:
            get = bundle if package in BUNDLED else fetch
            entry, text = get(package, Path(folder))
            noted[package] = entry
            licences[package] = f"{package} {entry['version']}\n\n{text.strip()}\n"
    (HERE / "manifest.json").write_text(json.dumps([*noted.values()], indent=2) + "\n")
    (HERE / "LICENSES.txt").write_text(RULE.join(licences.values()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
