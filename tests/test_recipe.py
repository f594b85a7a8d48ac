"""Recipes: facts and captures are put in, quoted in commands; unknown names show their label."""

from __future__ import annotations

from msgspec.structs import replace

from tests.conftest import Kit

CAUSE = """- id: t.x
  title: x
  explanation: module {{ module }} is missing
  seen_as: [{rule: t-mod, weight: decisive}]
  recipes:
    - title: for docker only
      when: {fact: box, is: docker}
      risk: admin
      steps: [{text: in the container}]
      check: {text: ok}
    - title: install
      risk: environment
      steps:
        - text: 'driver {{ drv.version }}{% if cuda.wanted %}, CUDA {{ cuda.wanted | minor }}{% else %}, CUDA unknown{% endif %}'
          command: 'pip install {{ module | distribution }}=={{ fact["pkg.one-two"] }} # {{ gpu["0"].name }}'
        - text: only with a driver
          when: {fact: drv.version, missing: false}
      check: {text: 'look at {{ module }}', command: 'python -c "import {{ module }}"', probe: nvidia, expect: {fact: drv.version, ge: '525'}}
      undo: pip uninstall it
"""


def fix_of(kit: Kit, log: str, facts: dict[str, object]):  # type: ignore[no-untyped-def]
    kit.rules("t-mod | No module named (?P<module>\\S+) | captures: {module: {type: module}}")
    kit.causes(CAUSE)
    kit.write("tables/dist.yaml", """
        table: import_to_distribution
        about: a
        key: import
        columns: {import: i, distribution: d}
        sources: [{id: s, what: t}]
        rows: [{import: cv2, distribution: opencv-python, src: s}]
    """)  # fmt: skip
    return kit.case(log, facts).report().hypotheses[0].fix  # type: ignore[arg-type]


def test_facts_and_captures_are_put_in(kit: Kit) -> None:
    facts = {"drv.version": "470.1", "cuda.wanted": "12.4.1", "pkg.one-two": "3.1", "gpu.0.name": "Card One"}
    fixes = fix_of(kit, "No module named cv2\n", facts)
    install = next(f for f in fixes if f.title == "install")
    assert install.steps[0].text == "driver 470.1, CUDA 12.4"
    assert install.steps[0].command == "pip install opencv-python==3.1 # 'Card One'"
    assert install.steps[1].text == "only with a driver"
    assert install.check.text == "look at cv2"
    assert (install.check.fact, install.check.expect) == ("drv.version", ">= 525")
    assert install.undo == "pip uninstall it"


def test_unknown_names_show_their_label_and_are_false_in_conditions(kit: Kit) -> None:
    install = next(f for f in fix_of(kit, "No module named cv2\n", {}) if f.title == "install")
    assert install.steps[0].text == "driver <driver version>, CUDA unknown"
    assert "<installed version>" in (install.steps[0].command or "")


def test_what_a_log_or_machine_says_cannot_break_out_of_a_command(kit: Kit) -> None:
    facts = {"gpu.0.name": "x'; rm -rf ~ #\n$(id)", "pkg.one-two": "1; reboot"}
    install = next(f for f in fix_of(kit, "No module named cv2\n", facts) if f.title == "install")
    import shlex

    words = shlex.split(install.steps[0].command or "", comments=False)
    assert words[:2] == ["pip", "install"]
    assert words[2] == "opencv-python==1; reboot"
    assert "rm -rf" in words[4]
    assert len(words) == 5


def test_a_capture_that_does_not_fit_its_type_is_not_used(kit: Kit) -> None:
    install = next(f for f in fix_of(kit, "No module named a;id\n", {}) if f.title == "install")
    assert "a;id" not in (install.steps[0].command or "")


def test_a_recipe_for_another_situation_is_left_out_and_a_fitting_one_comes_first(kit: Kit) -> None:
    titles = [f.title for f in fix_of(kit, "No module named cv2\n", {"box": "docker"})]
    assert titles == ["for docker only", "install"]
    assert [f.title for f in fix_of(kit, "No module named cv2\n", {"box": "none"})] == ["install"]


def test_the_recipe_meant_for_this_text_comes_before_all_others(kit: Kit) -> None:
    kit.rules("t-mod | No module named", "t-only | read-only")
    recipe = "{title: %s, risk: none, steps: [{text: s}], check: {text: c}%s}"
    recipes = [
        recipe % ("usual", ""),
        recipe % ("docker", ", when: {fact: box, is: docker}"),
        recipe % ("elsewhere", ", first_when: {seen: t-only}"),
    ]
    kit.causes(f"""- id: t.x
  title: x
  explanation: e
  seen_as: [{{rule: t-mod, weight: strong}}]
  recipes: [{", ".join(recipes)}]
""")

    def titles(log: str) -> list[str]:
        return [fix.title for fix in kit.case(log, {"box": "docker"}).report().hypotheses[0].fix]

    assert titles("No module named cv2\nfile system is read-only\n") == ["elsewhere", "docker", "usual"]
    assert titles("No module named cv2\n") == ["docker", "usual", "elsewhere"]


def test_both_languages_share_a_line_only_where_they_are_short(kit: Kit) -> None:
    kit.rules("t-mod | No module named (?P<module>\\S+) | captures: {module: {type: module}}")
    long = "the program asks for a module that is in no folder of its path"
    kit.causes(f"""- id: t.x
  title: {{en: a module is missing, zh: 缺少模块}}
  explanation: {{en: '{long} ({{{{ module }}}})', zh: '缺少 {{{{ module }}}}'}}
  seen_as: [{{rule: t-mod, weight: decisive}}]
  recipes: [{{title: x, risk: none, steps: [{{text: x}}], check: {{text: x}}}}]
""")
    case = kit.case("No module named cv2\n", {})
    case.options = replace(case.options, language="both")
    page = case.report().hypotheses[0]
    assert (page.title, page.explanation) == ("a module is missing / 缺少模块", f"{long} (cv2)\n缺少 cv2")
