#!/usr/bin/env bash
# Slurm on this machine alone, in a folder of its own: 8 shards, one killed and submitted again,
# merged, compared with one run. It needs slurmctld, slurmd, slurm-client and munge, and root.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
for program in slurmctld slurmd sbatch munged; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || {
        echo "slurm_test: there is no $program here; right would be: apt-get install" \
            "slurmctld slurmd slurm-client munge" >&2
        exit 2
    }
done
export PATH=$PATH:/usr/sbin LOCKLAB_HOME=$PWD
place=$(mktemp -d /tmp/locklab-slurm.XXXXXX)
daemons=()
end() {
    [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null || true
    wait || true
    rm -rf "$place"
}
trap end EXIT

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
processors=$(nproc)
mkdir -p "$place"/{state,spool,results}
chmod 755 "$place"
head -c 128 /dev/urandom >"$place/munge.key"
chmod 400 "$place/munge.key"
cat >"$place/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$place/munge.socket
SlurmUser=root
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$processors State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
export SLURM_CONF=$place/slurm.conf
munged --foreground --force --key-file="$place/munge.key" --socket="$place/munge.socket" \
    --pid-file="$place/munged.pid" --log-file="$place/munged.log" --seed-file="$place/munged.seed" \
    >/dev/null 2>&1 &
daemons+=($!)
until_true() {
    local tries=600
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || {
            echo "slurm_test: '$*' was not true for a minute" >&2
            tail -n 5 "$place"/slurm*.log >&2
            exit 1
        }
        sleep 0.1
    done
}
until_true test -S "$place/munge.socket"
slurmctld -D -f "$SLURM_CONF" -c >"$place/slurmctld.log" 2>&1 &
daemons+=($!)
slurmd -D -f "$SLURM_CONF" -N "$(hostname -s)" >"$place/slurmd.log" 2>&1 &
daemons+=($!)
is_idle() { sinfo --noheader --format=%T | grep -qx idle; }
until_true is_idle

program=build/release/harness/cli/locklab
campaign=(campaign setnx_expire --faults pause=1,crash=1 --runs "${RUNS:-40000}")
submit() {
    sbatch --parsable --array="$1" --output="$place/shard.%a.log" deploy/shard.sbatch \
        8 "$place/results" "${campaign[@]}"
}
merge() { "$program" merge "$place"/results/* --traces "$place/traces" --json; }
is_running() { squeue --noheader --array --states=RUNNING --format=%K | grep -qx "$1"; }
is_over() { [ -z "$(squeue --noheader)" ]; }
wait_for_jobs() {
    local tries=3000
    until is_over; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || exit 1
        sleep 0.2
    done
}

job=$(submit 0-7)
echo "job $job: 8 shards of '${campaign[*]}'"
until_true is_running 3
scancel "${job}_3"
wait_for_jobs
echo "killed: $(scontrol show job "${job}_3" | grep -o 'JobState=[A-Z]*' | head -n 1) of shard 3"
mkdir -p "$place/results/3"
if merge >/dev/null 2>"$place/said"; then
    echo "slurm_test: seven shards of eight were merged" >&2
    exit 1
fi
echo "merged without it: $(cat "$place/said")"
rm -rf "$place/results/3"
if merge >/dev/null 2>"$place/said"; then exit 1; fi
echo "merged without it: $(cat "$place/said")"
job=$(submit 3)
wait_for_jobs
echo "job $job: shard 3 again: $(tail -n 1 "$place/shard.3.log")"

code=0
merge >"$place/merged.json" || code=$?
one=0
"$program" "${campaign[@]}" --traces "$place/traces" --json >"$place/one.json" || one=$?
cmp "$place/merged.json" "$place/one.json"
[ "$code" = "$one" ]
echo "8 shards, one killed and submitted again, are to the byte one run of" \
    "$(wc -c <"$place/one.json") bytes (SHA-1 $(sha1sum <"$place/one.json" | cut -c 1-12))"
