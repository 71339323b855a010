#!/usr/bin/env bash
# The recipes besides Slurm, on this machine: GNU parallel with one shard lost and made again, merged,
# compared with one run; the Kubernetes job against its schema; the image, where docker can build.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
export LOCKLAB_HOME=$PWD
place=$(mktemp -d /tmp/locklab-recipes.XXXXXX)
trap 'rm -rf "$place"' EXIT
campaign=(campaign set_nx_lua --runs 60 --seed 7 --traces "$place/traces")

build/release/harness/cli/locklab "${campaign[@]}" >"$place/one" || [ $? -eq 1 ]
if command -v parallel >/dev/null; then
    deploy/parallel.sh 4 "$place/results" "${campaign[@]}" >"$place/merged" || [ $? -eq 1 ]
    rm -r "$place/results/shards/2"
    deploy/parallel.sh 4 "$place/results" "${campaign[@]}" >"$place/again" || [ $? -eq 1 ]
    cmp "$place/merged" "$place/again"
    # Witnesses of a merged campaign are under results/traces.
    cmp <(sed 's/replay .*//' "$place/one") <(sed 's/replay .*//' "$place/merged")
    echo "parallel: 4 shards, one lost and made again: as one run, to the byte"
else
    echo "parallel: not run; right would be: apt-get install parallel"
fi

python3 -m venv "$place/venv"
"$place/venv/bin/pip" install --quiet kubernetes-validate==1.36.0
"$place/venv/bin/kubernetes-validate" --strict --version 1.30 deploy/job.yaml

if docker info >/dev/null 2>&1; then
    git clone --quiet . "$place/clone"
    docker build --quiet --file deploy/Dockerfile "$place/clone"
else
    echo "image: not built, no docker daemon answers here"
fi
