"""Malformed and hostile files are refused with a place and a precise message, quickly, and nothing in them runs."""

from __future__ import annotations

import os
import time

import pytest

from tests.check.conftest import SmallLayer

R, C, F, T, D = "rules/own.yaml", "causes/own.yaml", "facts/own.yaml", "tables/volumes.yaml", "trees/own-tree.yaml"
PATTERN = "'scratch volume (?P<volume>[\\w/]{1,60}) has no room left'"

REFUSED: list[tuple[str, str, str, str, int, str]] = [
    # name, file, what is replaced, by what, line of the finding, part of the message
    ("python object", R, "source: frobnix 1.2, scratch.c", "source: !!python/object/apply:os.system [touch pwned]", 8, "tag"),
    ("python name", R, "source: frobnix 1.2, scratch.c", "source: !!python/name:os.system x", 8, "tag"),
    ("include", R, "source: frobnix 1.2, scratch.c", "source: !include /etc/passwd", 8, "tag"),
    ("anchor", R, "says: {en:", "says: &a {en:", 4, "anchor"),
    ("alias", R, "source: frobnix 1.2, scratch.c", "source: *a", 8, "alias"),
    ("merge key", R, "source: frobnix 1.2, scratch.c", "<<: {source: x}", 8, "merge"),
    ("duplicate key", R, "    source:", "    source: one\n    source:", 9, "twice"),
    ("boolean by accident", R, "source: frobnix 1.2, scratch.c", "source: yes", 8, "boolean"),
    ("null by accident", R, "source: frobnix 1.2, scratch.c", "source: ~", 8, "boolean"),
    ("date by accident", R, "source: frobnix 1.2, scratch.c", "source: 2024-01-02", 8, "date"),
    ("unquoted version", R, "source: frobnix 1.2, scratch.c", "source: 1.2", 8, "quote versions"),
    ("sexagesimal", R, "source: frobnix 1.2, scratch.c", "source: 1:30", 8, "another base"),
    ("octal", R, "source: frobnix 1.2, scratch.c", "source: 0777", 8, "another base"),
    ("tab", R, "    source:", "\tsource:", 8, "not valid YAML"),
    ("unclosed quote", R, PATTERN, "'scratch", 0, "not valid YAML"),
    ("two documents", R, "family: own\n", "family: own\n---\n", 2, "more than one document"),
    ("list for a mapping", R, "family: own\nrules:\n", "- x\n-\n", 0, ""),
    ("unknown key", R, "    source:", "    command: rm -rf /\n    source:", 8, "unknown field"),
    ("misspelt key", R, "    near_misses:", "    near_miss:", 0, "near_miss"),
    ("missing key", R, "    source: frobnix 1.2, scratch.c\n", "", 3, "source"),
    ("unknown role", R, "    source:", "    role: disaster\n    source:", 8, "disaster"),
    ("unknown place", R, "    source:", "    where: everywhere\n    source:", 8, "everywhere"),
    ("unknown type", R, "{type: path}", "{type: file}", 7, "file"),
    ("number for a text", R, "says: {en: the scratch disk is full, zh: 临时盘已满}", "says: 7", 4, "str"),
    ("nothing said", R, "{en: the scratch disk is full, zh: 临时盘已满}", "' '", 4, "says is empty"),
    ("empty translation", R, "zh: 临时盘已满", "zh: ''", 4, "empty in zh"),
    ("id with capitals", R, "id: own-disk-full", "id: own-Disk-Full", 3, "kebab"),
    ("id of another family", R, "id: own-disk-full", "id: cuda-disk-full", 3, "family"),
    ("id as a path", R, "id: own-disk-full", "id: ../../etc/passwd", 3, "kebab"),
    ("invalid expression", R, PATTERN, "'scratch volume (?P<volume>[a-z has no room left'", 5, "not a valid expression"),
    ("no fixed text", R, PATTERN, "'(?P<volume>\\w+) \\d+'", 5, "no fixed piece"),
    ("matches nothing at all", R, PATTERN, "'(?:scratch volume)?(?P<volume>)'", 5, "fixed piece"),
    ("exponential", R, PATTERN, "'scratch volume (?P<volume>(?:[\\w/]+)+) has no room left$'", 5, "far too long"),
    ("exponential alternatives", R, PATTERN, "'scratch volume (?P<volume>(?:a|aa)+) has no room left$'", 5, "far too long"),
    ("cubic", R, PATTERN, "'\\w*\\w*(?P<volume>\\w*) has no room left'", 5, "far too long"),
    ("line end in a line", R, PATTERN, "'scratch volume (?P<volume>\\w+)\\n has no room left'", 5, "line end"),
    ("an endless expression", R, PATTERN, "'scratch volume (?P<volume>" + "x" * 4001 + ")'", 5, "longer than"),
    ("hostile unless", R, "    source:", "    unless: ['(?:x+x+)+y']\n    source:", 8, "far too long"),
    ("group without a type", R, "    captures:\n      volume: {type: path}\n", "", 5, "no entry in captures"),
    ("type without a group", R, "volume: {type: path}", "volume: {type: path}\n      other: {type: int}", 8, "no group"),
    ("unknown fact", R, "{type: path}", "{type: path, fact: own.nowhere}", 7, "no fact own.nowhere"),
    ("sample missed", R, "scratch volume /scr1 has no room left'\n        captures", "scratch volume /scr1 is gone'\n        captures", 10, "does not match this sample"),
    ("capture differs", R, "captures: {volume: /scr1}", "captures: {volume: /scr2}", 11, "captures volume as '/scr1'"),
    ("near miss hit", R, "/scr1 has room left", "/scr1 has no room left", 13, "matches this near miss"),
    ("no sample", R, "samples:\n      - text: 'frobnix: scratch volume /scr1 has no room left'\n        captures: {volume: /scr1}", "samples: []", 3, "no sample"),
    ("no near miss", R, "near_misses:\n      - 'frobnix: scratch volume /scr1 has room left'", "near_misses: []", 3, "no near miss"),
    ("status not earned", R, "    source:", "    status: stable\n    source:", 8, "called stable"),
    ("number of a thousand digits", R, "source: frobnix 1.2, scratch.c", "source: " + "9" * 6000, 8, "more than 18 digits"),
    ("colour in a text", R, "en: the scratch disk is full", 'en: "\\e[2Jfull"', 4, "invisible character U+001B"),
    ("turned text in a command", C, "'find {{ volume }} -mtime +30'", '"find \\u202e{{ volume }}"', 15, "invisible character U+202E"),
    ("a list as a key", R, "    source:", "    ? [a, b]\n    : c\n    source:", 8, "not a plain text"),
    ("thousand million repeats", R, PATTERN, "'scratch volume (?P<volume>\\w{1000000000}) has no room left'", 5, "100,000 times"),
    ("groups without end", R, PATTERN, "'scratch volume (?P<volume>" + "(" * 900 + "x" + ")" * 900 + ")'", 5, "valid expression"),
    ("back references", R, PATTERN, "'scratch volume (?P<volume>(\\w*)(\\w*)\\2\\3\\2\\3) left$'", 5, "far too long"),
    ("hostile test", D, "lt: 10", "matches: '(a+)+$'", 12, "far too long"),
    ("invalid test", D, "lt: 10", "matches: '(a'", 12, "not a valid expression"),
    ("hostile derived fact", F, "label: free room", "label: x, derive: [{of: own.kind, pattern: '(a+)+$'}]", 2, "far too long"),
    ("derived from no group", F, "label: free room", "label: x, derive: [{of: own.kind, pattern: '(a)', value: '\\9'}]", 2, "asks for group 9"),
    ("nodes in a circle", D, "{answer: other, cause: own.disk_full}", "{answer: other, go: first}", 20, "leads back"),
    ("deep conditions", C, "find {{ volume }}", "{% if volume %}" * 600 + "x" + "{% endif %}" * 600, 15, "nested too deep"),
    ("deep brackets", C, "{{ volume }} -mtime", "{{ " + "(" * 800 + "volume" + ")" * 800 + " }}", 15, "nested too deep"),
    ("template with a huge power", C, "{{ volume }} -mtime", "{{ 9 ** 9 ** 9 }}", 15, "Pow is not allowed"),
    ("template that fills memory", C, "{{ volume }} -mtime", "{{ volume | center(999999999) }}", 15, "filter center"),
    ("cause without a rule", C, "rule: own-disk-full", "rule: own-nowhere", 7, "no rule own-nowhere"),
    ("short explanation", C, "The job writes its scratch files to a volume of fixed size, and other jobs have filled it before this one began.", "Disk.", 5, "shorter than"),
    ("leads nowhere", C, "    recipes:", "    leads_to: [own.other]\n    recipes:", 10, "no cause own.other"),
    ("unknown table", C, "lookup: volumes", "lookup: disks", 9, "no table disks"),
    ("unknown column", C, "column: least", "column: most", 9, "no column most"),
    ("two subjects", C, "{fact: own.free, lt:", "{fact: own.free, seen: own-disk-full, lt:", 9, "exactly one of"),
    ("template that calls", C, "{{ volume }} -mtime", "{{ volume.upper() }} -mtime", 15, "template is not usable"),
    ("template with a loop", C, "find {{ volume }}", "{% for x in volume %}{{ x }}{% endfor %}", 15, "template is not usable"),
    ("template that imports", C, "find {{ volume }}", "{% import \"os\" as os %}", 15, "template is not usable"),
    ("template that escapes", C, "find {{ volume }}", "{{ volume.__class__.__mro__ }}", 15, "neither"),
    ("template that includes", C, "find {{ volume }}", "{% include \"/etc/passwd\" %}", 15, "template is not usable"),
    ("template that sets", C, "find {{ volume }}", "{% set volume = 1 %}{{ volume }}", 15, "template is not usable"),
    ("unknown name", C, "{{ volume }} -mtime", "{{ volumes }} -mtime", 15, "names volumes"),
    ("unknown filter", C, "{{ volume }} -mtime", "{{ volume | safe }} -mtime", 15, "filter safe"),
    ("lookup of nothing", C, "{{ volume }} -mtime", "{{ volume | lookup(\"disks\", \"x\") }} -mtime", 15, "no table disks"),
    ("unclosed template", C, "{{ volume }} -mtime", "{{ volume -mtime", 15, "template is not usable"),
    ("command that destroys", C, "find {{ volume }} -mtime +30", "rm -rf / ", 15, "destroy"),
    ("recipe without a step", C, "        steps:\n          - text: 'Remove what is old on {{ volume }}'\n            command: 'find {{ volume }} -mtime +30'", "        steps: []", 13, "no step"),
    ("option lost in translation", C, "text: 'Remove what is old on {{ volume }}'", "text: {en: 'Run it with --tidy', zh: 运行它}", 14, "does not name --tidy"),
    ("value lost in translation", C, "text: 'Remove what is old on {{ volume }}'", "text: {en: 'Remove what is old on {{ volume }}', zh: 删除旧文件}", 14, "only the English text has {{ volume }}"),
    ("unknown risk", C, "risk: environment", "risk: low", 12, "low"),
    ("fact without a dot", F, "name: own.free", "name: Free", 0, "dotted lower case"),
    ("row without its key", T, "{kind: fast, least: 1000, src: s1}", "{least: 1000, src: s1}", 7, "no kind"),
    ("row with a stray column", T, "least: 1000", "most: 1000", 7, "no column most"),
    ("row of an unknown source", T, "least: 1000, src: s1", "least: 1000, src: s9", 7, "source s9"),
    ("key that stands twice", T, "kind: slow", "kind: fast", 8, "already the key"),
    ("further column that is not there", T, "key: kind\n", "key: kind\nalso: [most]\n", 4, "no column most"),
    ("further columns of a range", T, "key: kind\n", "key: kind\nmatch: product\nalso: [least]\n", 5, "by their key only"),
    ("a table without a use", C, "lt: {lookup: volumes, column: least, of: own.kind}", "lt: 1000", 0, "nothing looks anything up"),
    ("a table in use, called unused", T, "key: kind\n", "key: kind\nfor: [explain]\n", 1, "for people only"),
    ("a text column that is none", T, "key: kind\n", "key: kind\ntexts: [words]\n", 0, "there is no column words"),
    ("Chinese of what no row says", T, "key: kind\n", "key: kind\nzh: {not there: 没有}\n", 0, "no row says 'not there'"),
    ("words without Chinese", T, "key: kind\n", "key: kind\ntexts: [kind]\n", 0, "there is no Chinese for"),
    ("a purpose of tables that is none", T, "key: kind\n", "key: kind\nfor: [decoration]\n", 4, "decoration"),
    ("node that is not there", D, "go: second", "go: third", 13, "no node third"),
    ("node that nobody reaches", D, "go: second", "cause: own.disk_full", 0, "no branch leads to"),
    ("branch to nowhere", D, "{answer: other, cause: own.disk_full}", "{answer: other}", 20, "either to a node"),
    ("branch after everything", D, "{answer: 'yes', when: {fact: own.free, lt: 10}, cause", "{answer: 'yes', cause", 12, "only the last branch"),
    ("start that is not there", D, "start: first", "start: zero", 5, "no node zero"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "message"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_a_spoilt_file_is_refused(layer: SmallLayer, file: str, old: str, new: str, line: int, message: str) -> None:
    layer.spoil(file, old, new)
    start = time.process_time()
    findings = [finding for finding in layer.check() if finding.level == "error"]
    assert time.process_time() - start < 5
    found = [f for f in findings if message in f"{f.what} {f.fix}" and (not line or f.line == line)]
    assert found, [str(finding) for finding in findings]
    assert found[0].file.endswith(file) or not line
    assert not (layer.folder / "pwned").exists()


@pytest.mark.parametrize(("target", "message"), [("/dev/zero", "is no file"), ("loop.yaml", "cannot be read")])
def test_a_link_to_what_is_no_file_is_refused_unread(layer: SmallLayer, target: str, message: str) -> None:
    (layer.folder / "rules" / "loop.yaml").symlink_to(target)
    assert [f.what for f in layer.check() if message in f.what and f.file.endswith("loop.yaml")]


def test_a_pipe_is_refused_unread(layer: SmallLayer) -> None:
    os.mkfifo(layer.folder / "rules" / "pipe.yaml")
    assert [f.what for f in layer.check()] == ["is no file"]


def test_a_pack_that_needs_a_version_of_thousands_of_digits_is_refused(layer: SmallLayer) -> None:
    layer.write("pack.yaml", "name: x\nversion: '1'\nrequires: '>=" + "9" * 5000 + "'\n")
    assert any("names no versions" in f.what and f.line == 3 for f in layer.check())


def test_the_layer_that_is_spoilt_has_no_fault(layer: SmallLayer) -> None:
    assert [str(finding) for finding in layer.check()] == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00r", "not UTF-8"),
        (b"", "is empty"),
        (b"family: own\x00\nrules: []\n", "not valid YAML"),
        (b"x: " + b"[" * 40 + b"]" * 40, "nested deeper"),
        (b"a: '" + b"x" * (5 * 1024 * 1024) + b"'", "larger than"),
        (b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "anchor"),
    ],
    ids=["utf-16", "empty", "nul", "deep", "large", "billion laughs"],
)
def test_a_file_that_is_none_is_refused(layer: SmallLayer, content: bytes, message: str) -> None:
    layer.write("rules/own.yaml", content)
    assert any(message in finding.what and finding.file.endswith("rules/own.yaml") for finding in layer.check())
