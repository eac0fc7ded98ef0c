# What .ci/run and .ci/full share: steps that are timed, go on after a failure, and are counted at the end.
outcomes=$(mktemp)
COUNT='^[0-9]+ passed, [0-9]+ failed'

step() { printf '\n== %s (after %d s)\n' "$1" "$SECONDS"; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs Debian's packages. The tests run servers of their own: Debian's are not to be started, which would fail where
# their ports are taken.
install_packages() {
  [ "$#" -gt 0 ] || return 0
  step "System packages: $*"
  local policy=/usr/sbin/policy-rc.d made=''
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod +x "$policy"
    made=$policy
  fi
  local status=0
  {
    as_root apt-get update -qq &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"
  } || status=$?
  [ -z "$made" ] || as_root rm -f "$made"
  return "$status"
}

descendants_of() {
  local child
  for child in $(pgrep -P "$1"); do
    echo "$child"
    descendants_of "$child"
  done
}

# Ends what runs, and waits a minute for what it has to remove. What sudo has started belongs to root.
end_children() {
  local processes deadline=$((SECONDS + 60))
  processes=$(descendants_of "$$")
  as_root kill $processes 2>/dev/null || true
  while as_root kill -0 $processes 2>/dev/null && [ "$SECONDS" -lt "$deadline" ]; do sleep 0.2; done
}

# A run that is interrupted leaves no process behind.
trap 'end_children; exit 143' INT TERM
# The last line is also that of a run that ends early, such as by an installation that fails.
trap 'failed "$0 ended early, with exit code $?."; close All' EXIT

failed() { echo "FAILED $*" | tee -a "$outcomes"; }

has_failed() { grep -q '^FAILED' "$outcomes"; }

# Runs a command, which is a failure if it fails or does not end within these minutes. Its last
# line `N passed, N failed` counts.
run() {
  local minutes=$1 status=0 output
  shift
  output=$(mktemp)
  # In the background, since a signal waits for what runs in the foreground.
  { timeout --kill-after=60 "${minutes}m" "$@" 2>&1 | tee "$output"; } &
  wait "$!" || status=$?
  grep -vE "$COUNT" "$output" >>"$outcomes" || true
  grep -E "$COUNT" "$output" | tail -n 1 >>"$outcomes" || true
  rm "$output"
  case $status in
    0) ;;
    124 | 137) failed "$*: it did not end within $minutes minutes." ;;
    *) failed "$*: it ended with exit code $status." ;;
  esac
}

# Begins steps that run side by side. Each is a title and the arguments of `run`, and prints when it has ended.
beside() {
  local title=$1 output
  shift
  output=$(mktemp)
  {
    run "$@" >"$output" 2>&1
    step "$title"
    cat "$output"
    rm "$output"
  } &
}

# Prints what failed and what was flaky, then the sum of the counts, and exits.
close() {
  local status=0
  trap - EXIT
  if has_failed; then
    status=1
    step 'What failed'
    awk '/^(  ● |The server.s log ends)/ { left = 40 } /^VIOLATION:|NOT DETECTED$/ { left = 8 }
      left-- > 0 && printed++ < 200' "$outcomes"
    grep '^FAILED' "$outcomes" | sort -u
  fi
  step "$1"
  grep '^FLAKY' "$outcomes" | sort -u || true
  { grep -E "$COUNT" "$outcomes" || true; } | awk -v status="$status" '
    { passed += $1; failed += $3; skipped += $5 }
    END {
      if (status != 0 && failed == 0) failed = 1
      printf "%d passed, %d failed%s\n", passed, failed, skipped ? ", " skipped " skipped" : ""
      exit failed > 0
    }' || status=1
  rm "$outcomes"
  exit "$status"
}
