"""Loaded by Python in virtual time: what it draws by chance follows from the seed."""

import random

_chance = random.SystemRandom()
for _name in ("random", "uniform", "randrange", "randint", "getrandbits", "choice", "shuffle",
              "sample", "gauss", "expovariate", "triangular", "choices", "randbytes"):
    setattr(random, _name, getattr(_chance, _name))
