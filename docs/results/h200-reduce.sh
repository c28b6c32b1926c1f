#!/usr/bin/env bash
# Evidence that the reductions are right on an NVIDIA GPU, written on the machine that has it.
#
#   OUT=folder docs/results/h200-reduce.sh path/to/wavewise
#
# 1. `wavewise reduce` for every type, operator, kernel and length below. A run passes where each
#    row is right against the CPU reference and the GPU's bits are the simulator's, at 32 lanes and
#    at 64; a starter where it fails as it must.
# 2. compute-sanitizer's four tools over a sum of every type.
#
# Needs bash, awk, xargs and the program; no compiler. Leaves in $OUT: h200-reduce.txt (all that is
# shown), h200-reduce.jsonl (the program's report of each run, one a line) and h200-sanitizer.txt
# (what the tools said). Nothing ends it half way: failures are counted, shown at the end, and make
# the exit status 1.
#
# LENGTHS: others than those of the record. JOBS: runs at a time. SIM_UNTIL: the seconds after which
# the longest arrays run on the GPU alone, for the simulator takes its time over them; one of them
# always runs there too.
set -u
export LC_ALL=C

program=$(realpath -- "${1:-}" 2>/dev/null) || program=
if [ ! -x "$program" ] || [ -d "$program" ]; then
    echo "usage: OUT=folder $0 path/to/wavewise: there is no program at '${1:-}'" >&2
    exit 2
fi
OUT=${OUT:-.}
mkdir -p "$OUT" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export program work
export JOBS=${JOBS:-4} SIM_UNTIL=${SIM_UNTIL:-150}
START=$(date +%s)
export START
# Compiled kernels are kept between runs.
export CUDA_CACHE_PATH=$work/cache

types="f32 f64 i32 u32 i64 u64"
operators="sum min max"
kernels="butterfly shuffle-down"
starters="starter-16 starter-lost-waves"
LONGEST=134217728
export LONGEST
lengths=${LENGTHS:-0 1 31 32 33 255 256 257 1000003 $LONGEST}

exec > >(tee "$OUT/h200-reduce.txt") 2>&1
tee_pid=$!

elapsed() { echo $(($(date +%s) - START)); }
export -f elapsed

# Rows of a report as words: backend width ok bits seconds ratio fault. All NaNs are one: the
# contract leaves their payload open.
rows() {
    awk '
        function word(line) { sub(/^[^:]*: */, "", line); gsub(/[",]/, "", line); gsub(/ /, "_", line); return line }
        /^    \{/         { backend = width = ok = bits = seconds = ratio = "?"; fault = "-" }
        /^      "backend"/ { backend = word($0) }
        /^      "width"/   { width = word($0) }
        /^      "ok"/      { ok = word($0) }
        /^      "value"/   { value = word($0) }
        /^      "bits"/    { bits = value == "NaN" ? "0xNaN" : word($0) }
        /^      "seconds"/ { seconds = word($0) }
        /^      "ratio"/   { ratio = word($0) }
        /^        "name"/  { fault = word($0) }
        /^    \}/         { print backend, width, ok, bits, seconds, ratio, fault }
    ' "$1"
}
export -f rows

# What is wrong with the rows of a run; nothing where they are as they must be.
judge() {
    awk -v n="$1" -v kernel="$2" -v backend="$3" -v status="$4" '
        function wrong(what) { if (!bad[what]++) printf "%s; ", what }
        { place = $1 "/" $2; seen[place] = 1; ok[place] = $3; bits[place] = $4; ratio[place] = $6; fault[place] = $7
          if ($4 !~ /^0x/) wrong("no result of " place)
          if ($1 == "cuda") { gpus++; if (gpus > 1 && $4 != first) wrong("the GPUs differ"); first = $4 } }
        END {
            if (!gpus) wrong("no GPU ran")
            if (backend == "all" && !(("sim/32" in seen) && ("sim/64" in seen))) wrong("no simulator ran")
            if (backend == "all" && bits["cuda/32"] != bits["sim/32"]) wrong("bits differ from sim/32")
            starter = kernel ~ /^starter/
            for (place in seen) if (!starter && ok[place] != "true") wrong(place " is wrong")
            if (!starter && backend == "all" && bits["cuda/32"] != bits["sim/64"]) wrong("bits differ from sim/64")
            if (!starter && status != 0) wrong("exit status " status)
            if (starter && status > 1) wrong("exit status " status)
            if (kernel == "starter-16") {
                if (ok["cuda/32"] != "true") wrong("wrong on 32 lanes, where it is right")
                if (n > 1000 && ("sim/64" in seen) && fault["sim/64"] != "half-wave") wrong("sim/64 is no half-wave")
            }
            if (kernel == "starter-lost-waves" && n > 1000 && (fault["cuda/32"] != "lost-waves" || ratio["cuda/32"] != 0.125))
                wrong("an eighth is expected, and the fault lost-waves")
        }'
}
export -f judge

# One run: a line of the results, and its report.
reduce_once() {
    local id=$1 n=$2 type=$3 operator=$4 kernel=$5 backend=all status wrong report line
    if [ "$n" = "$LONGEST" ] && [ "$type $operator $kernel" != "f32 sum butterfly" ]; then
        # The starters fail in ways that shorter arrays show as well.
        if [[ $kernel == starter* ]] || [ "$(elapsed)" -gt "$SIM_UNTIL" ]; then backend=cuda; fi
    fi
    report=$work/report.$id
    timeout 150 "$program" reduce --json --random "$n" --dtype "$type" --op "$operator" \
        --kernel "$kernel" --backend "$backend" >"$report" 2>"$report.err"
    status=$?
    rows "$report" >"$report.rows"
    wrong=$(judge "$n" "$kernel" "$backend" "$status" <"$report.rows")
    [ -s "$report.err" ] && wrong="$wrong$(head -c 400 "$report.err" | tr '\n' ' '); "
    line=$(awk '$1 == "cuda" { print $4, $5; exit }' "$report.rows")
    echo "$n $type $operator $kernel $backend ${line:-- -} ${wrong:-ok}" >"$work/result.$id"
    tr -d '\n' <"$report" | sed 's/  */ /g' >"$report.line"
    echo >>"$report.line"
}
export -f reduce_once

# One tool over one run.
sanitize_once() {
    local id=$1 tool=$2 n=$3 type=$4 kernel=$5 status wrong=
    timeout 240 "$sanitizer" --tool "$tool" --error-exitcode 86 \
        "$program" reduce --json --random "$n" --dtype "$type" --kernel "$kernel" --backend cuda \
        >"$work/sanitizer.$id" 2>&1
    status=$?
    [ "$status" -eq 0 ] || wrong="exit status $status; "
    grep -Eq 'SUMMARY: 0 (errors|hazards)' "$work/sanitizer.$id" || wrong="${wrong}no clean summary; "
    grep -q '"ok": true' "$work/sanitizer.$id" || wrong="${wrong}no right result; "
    echo "$tool $n $type $kernel ${wrong:-ok}" >"$work/clean.$id"
}
export -f sanitize_once

# Runs function $1 for each line of standard input, whose number comes first.
each() {
    awk '{ printf "%05d %s\n", NR, $0 }' | xargs -P "$JOBS" -L 1 bash -c "$1 \"\$@\"" _
}

echo "## Where and when"
date -u '+%Y-%m-%d %H:%M:%S UTC'
uname -srm
nvidia-smi --query-gpu=name,compute_cap,driver_version,memory.total --format=csv || echo "nvidia-smi failed: $?"
echo "program: $("$program" --version), sha256 $(sha256sum "$program" | cut -d' ' -f1)"
"$program" devices
# The driver compiles the kernels here, once; a failure shows in each run below.
"$program" reduce --backend cuda --random 1000003
echo

echo "## Reductions"
{
    for n in $lengths; do
        for kernel in $kernels; do
            for type in $types; do for operator in $operators; do echo "$n $type $operator $kernel"; done; done
        done
        for kernel in $starters; do echo "$n f32 sum $kernel"; done
    done
} >"$work/plan"
each reduce_once <"$work/plan"
cat "$work"/result.* >"$work/results" 2>/dev/null
for report in "$work"/report.*.line; do cat "$report"; done >"$OUT/h200-reduce.jsonl" 2>/dev/null
planned=$(wc -l <"$work/plan")
ran=$(wc -l <"$work/results")
right=$(awk '$8 == "ok"' "$work/results" | wc -l)
compared=$(awk '$8 == "ok" && $5 == "all"' "$work/results" | wc -l)

echo "= the GPU's bits are those of sim/32 and sim/64 (of a starter: sim/32, with the fault it has),"
echo "c right by the CPU reference, the GPU alone, ! wrong, . not run"
awk -v lengths="$lengths" '
    BEGIN { count = split(lengths, n, " ") }
    { job = sprintf("%-3s %-3s %-18s", $2, $3, $4); if (!(job in known)) { known[job] = ++jobs; name[jobs] = job }
      mark[job, $1] = $8 != "ok" ? "!" : $5 == "all" ? "=" : "c" }
    END {
        printf "%-26s", ""; for (i = 1; i <= count; i++) printf " %9s", n[i]; print ""
        for (j = 1; j <= jobs; j++) {
            printf "%s", name[j]
            for (i = 1; i <= count; i++) { m = mark[name[j], n[i]]; printf " %9s", m == "" ? "." : m }
            print ""
        }
    }' "$work/results"
echo
echo "Time of the kernels over $LONGEST elements, by CUDA events:"
awk -v n="$LONGEST" '$1 == n && $4 !~ /^starter/ && $7 > 0 {
    size = $2 ~ /64/ ? 8 : 4
    printf "%s %s %-12s %9.6f s %7.0f GB/s  %s\n", $2, $3, $4, $7, n * size / $7 / 1e9, $6 }' "$work/results"
echo
echo "reductions: $planned planned, $ran ran, $right right, of which $compared with the simulator's bits; $(elapsed) s so far"
failures=$((planned - right))
awk '$8 != "ok"' "$work/results" | sed 's/^/FAILED: /' | head -40
echo

echo "## compute-sanitizer"
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer /opt/nvidia/*/compute-sanitizer 2>/dev/null | head -1)
export sanitizer
if [ -z "$sanitizer" ]; then
    echo "FAILED: there is no compute-sanitizer on this machine"
    failures=$((failures + 1))
else
    "$sanitizer" --version | tail -1
    for tool in memcheck racecheck synccheck initcheck; do
        for n in 257 1000003; do
            for type in $types; do echo "$tool $n $type butterfly"; done
            echo "$tool $n f32 shuffle-down"
        done
    done >"$work/checks"
    each sanitize_once <"$work/checks"
    cat "$work"/clean.* >"$work/cleans" 2>/dev/null
    for log in "$work"/sanitizer.*; do
        awk 'NR == FNR { print "#", $0; next } /^=====/ { print; if (++lines > 30) exit }' "$work/clean.${log##*.}" "$log"
    done >"$OUT/h200-sanitizer.txt" 2>/dev/null
    awk '{ runs[$1]++; if ($5 == "ok") clean[$1]++ }
        END { for (tool in runs) printf "%-10s %d runs, %d clean\n", tool, runs[tool], clean[tool] }' "$work/cleans" | sort
    checks=$(wc -l <"$work/checks")
    clean=$(awk '$5 == "ok"' "$work/cleans" | wc -l)
    echo "sanitizer: $checks planned, $clean clean"
    failures=$((failures + checks - clean))
    awk '$5 != "ok"' "$work/cleans" | sed 's/^/FAILED: /' | head -40
fi
echo
echo "failures: $failures; $(elapsed) s in all"
# All that was shown is in the file before this ends.
exec >&- 2>&-
wait "$tee_pid" 2>/dev/null
[ "$failures" -eq 0 ]
