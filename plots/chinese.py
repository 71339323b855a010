"""The words of the README's matrix in Chinese: its headings, verdicts and legend. Terms are those
of terms_zh.json."""

import matrix
from translate import GLOSSARY

HEADS = ("锁", "成立")
HAZARDS = GLOSSARY["faults"]
MEANINGS = {
    "proved": "成立且已穷举：运行中从未有两个客户端同时处在临界区，也无人永远卡死，并且搜索走遍了界限内的每个调度",
    "not_seen": "未见失败，但运行次数太少，不足以说成立",
    "holds": "在所做的运行中成立，但未穷举：只能给出失败率的上界",
    "violated": "被违反：有两个客户端同时处在临界区，或有更新丢失，或令牌乱序",
    "stuck": "永远卡死：已没有活着的客户端持有锁，锁却一直被占用",
    "both": "两者都有：有的运行被违反，有的运行永远卡死",
    "unknown": "无法判定：未分胜负就先触及界限，绝不算通过",
    "not_applicable": "不适用：这个世界造不出这种故障，或者这种故障碰不到这个锁",
    "not_run": "未运行",
}
WAITS = "故障之后，客户端不得不等到 TTL 过期"
UNCLAIMED = "判定与锁自己的文件所声明的不同"
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
