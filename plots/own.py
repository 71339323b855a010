"""A lock of the reader's own: how to begin, in C++ or in another language, and what each way says.
"""

from typing import NamedTuple

TITLE = "A lock of your own"
INTRO = "The commands that judged the locks of this page judge yours. There are two ways in."
WHAT = "What it says"


class Way(NamedTuple):
    title: str
    begin: str       # what you write
    commands: tuple  # of a shell, in the folder of a checkout
    says: str        # what a result means, and what not
    more: str


WAYS = (
    Way("In C++",
        "One file in `algorithms/`, and one row in `algorithms/registry.cpp`: that of `set_nx_lua`,"
        " with the new name.",
        ("sed 's/set_nx_lua/my_lock/g; s/SetNxLua/MyLock/g' algorithms/set_nx_lua.cpp"
         " >algorithms/my_lock.cpp",
         "./locklab explore my_lock --thresholds"),
        "Every order of steps within bounds that are printed. So you get the shortest"
        " counterexample, or a proof that holds within these bounds.",
        "`README.md` has it step by step."),
    Way("In Python, JavaScript, Go, Java or Rust",
        "A driver of about twenty lines around your lock, which runs as it is.",
        ("./locklab libraries new my-lock --language Python",
         "./locklab libraries pin my-lock",
         "./locklab libraries install my-lock",
         "./locklab explore lib:my-lock --thresholds"),
        "As many orders of steps as are asked for. A counterexample is exact and can be replayed;"
        " that none was found is no proof.",
        "`drivers/README.md` has it step by step; another language needs `drivers/PROTOCOL.md`."),
)
