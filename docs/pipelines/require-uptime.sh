#!/usr/bin/env bash
# Fails if the uptime of the monitor KEY over DAYS (90) is below PERCENT (99.9): require-uptime.sh KEY [PERCENT [DAYS]]
# Exit codes: 1 if the uptime is below PERCENT, 3 if nothing was monitored in that time.
set -euo pipefail
: "${DAYWATCH_URL:?}" "${DAYWATCH_API_KEY:?}" "${1:?usage: require-uptime.sh KEY [PERCENT [DAYS]]}"
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
curl -sS --fail-with-body --max-time 30 --retry 5 --retry-connrefused -o "$answer" \
  -H @<(printf 'Authorization: Bearer %s\n' "$DAYWATCH_API_KEY") \
  "${DAYWATCH_URL%/}/v1/monitors/key:$1/uptime?days=${3:-90}" || { code=$?; echo "$(<"$answer")" >&2; exit "$code"; }
jq -r --argjson wanted "${2:-99.9}" '.uptimePercent as $uptime |
  "Uptime \($uptime)%, required \($wanted)%; \(.coveragePercent)% of the time was monitored." |
  if $uptime == null then . + "\n" | halt_error(3) elif $uptime < $wanted then . + "\n" | halt_error(1) else . end' "$answer"
