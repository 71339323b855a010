"""The words of the README's matrix in Chinese: its headings, verdicts and legend. Terms are those
of terms_zh.json."""

import catalogue
import matrix

HEADS = ("锁", "成立")
HAZARDS = catalogue.GLOSSARY["faults"]
MEANINGS = {kind: catalogue.chinese(meaning) for kind, meaning in matrix.MEANINGS.items()}
WAITS, UNCLAIMED = map(catalogue.chinese, (matrix.WAITS_MEANING, matrix.UNCLAIMED_MEANING))
SILENT = "这次运行的搜索尚未说明各自实际走到了什么，所以这里没有一格算作证明。"
WORLDS = {"sim": "模拟器", "live": "真实 Redis"}


def heading(hazard):
    """崩溃<br>`crash`: what it means, and what commands call it."""
    name = hazard["name"]
    return f"{HAZARDS.get(name, name)}<br>{matrix.heading_md(hazard)}"


def block(run, world):
    """The same as readme_table.block."""
    manifest = run.manifest
    legend = matrix.legend_md(run, MEANINGS, WAITS, UNCLAIMED, "；。", SILENT)
    return (f"{matrix.matrix_md(run, world, HEADS, heading)}\n\n{legend}\n"
            f"判定来自{WORLDS[world]}，命令为 `{manifest['command']}`"
            f"（locklab {manifest['locklab']}，种子 {manifest['seed']}）。")
