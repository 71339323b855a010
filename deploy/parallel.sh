#!/usr/bin/env bash
# All shards of a command with GNU parallel, and their merging:
#     deploy/parallel.sh 100 RESULTS campaign all --runs 1000000
# HOSTS="a,b,4/c" runs them over ssh there (4/c: four at once on c); each needs this checkout, built,
# under the same path. Without it they run here, one at once: a shard uses all processors.
# The same command again makes only what is missing. RESULTS/log lists each shard with its exit code.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
of=$1 results=$2
shift 2
program=$PWD/build/release/harness/cli/locklab
mkdir -p "$results"
results=$(readlink -f "$results")
where=(--jobs 1)
[ -z "${HOSTS-}" ] || where+=(--sshlogin "$HOSTS" --return "$results/shards/{}")
printf -v command 'cd %q && LOCKLAB_HOME=. %q' "$PWD" "$program"
printf -v words ' %q' "$@"
printf -v out '%q/shards' "$results"
seq 0 $((of - 1)) | parallel "${where[@]}" --retries 3 --joblog "$results/log" \
    "$command$words --shard {}/$of --out $out/{}" >&2 ||
    echo "parallel: some shards failed; $results/log has their exit codes" >&2
merged=()
[ "$1" != suite ] || merged=(--out "$results/merged")
LOCKLAB_HOME=. "$program" merge "$results"/shards/* "${merged[@]}"
