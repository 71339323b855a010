"""The shape of thresholds.json and of redlock.json's thresholds."""

import shape as s

TIMES = {key: s.count for key in (
    "ttl_us", "job_us", "wait_us", "command_timeout_us", "slow_job_us", "pause_us", "delay_us",
    "clock_us")}
LATE_REPLIES = {key: s.count for key in ("patient_timeout_us", "reply_delay_us")}
MINIMAL = s.record({
    "faults": s.faults, "verdict": s.one_of("violated", "stuck"), "steps": s.count,
    "least_us": s.maybe(s.count), "least_steps": s.maybe(s.count), "witness": s.text,
    "replay": s.text})
SEARCH = s.record({"clients": s.count, "rounds": s.count, "attempts": s.count})
COVERAGE = s.record({"sets_ttl": s.flag, "ttl_ran_out": s.flag})
THRESHOLDS = s.record({"thresholds": s.list_of(s.record({
    "algorithm": s.name, "goal": s.one_of("exclusion", "progress"), "clients": s.count,
    "lengths": s.one_of("any", "exact"), "rounds": s.count, "attempts": s.count,
    "most_faults": s.count, "minimal": s.list_of(MINIMAL),
    "harmless": s.list_of(s.faults), "unknown": s.list_of(s.faults), "complete": s.flag,
    **TIMES}, {"attempts_in_silence": s.count, "harmless_briefly": s.list_of(s.faults),
               "searches": s.list_of(SEARCH), "coverage": COVERAGE, **LATE_REPLIES}))})
