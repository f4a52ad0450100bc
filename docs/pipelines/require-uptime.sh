#!/usr/bin/env bash
# Fails where the uptime of the monitor KEY over DAYS (90) is under PERCENT (99.9): require-uptime.sh KEY [PERCENT [DAYS]]
# Exit code 1: it is under. 3: nothing was monitored in that time, which is no evidence of anything.
set -euo pipefail
: "${DAYWATCH_URL:?}" "${DAYWATCH_API_KEY:?}" "${1:?usage: require-uptime.sh KEY [PERCENT [DAYS]]}"
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
curl -sS --fail-with-body --max-time 30 --retry 5 --retry-connrefused -o "$answer" \
  -H @<(printf 'Authorization: Bearer %s\n' "$DAYWATCH_API_KEY") \
  "${DAYWATCH_URL%/}/v1/monitors/key:$1/uptime?days=${3:-90}" || { code=$?; echo "$(<"$answer")" >&2; exit "$code"; }
jq -r --argjson wanted "${2:-99.9}" '.uptimePercent as $uptime |
  "Uptime \($uptime) %, wanted \($wanted) %; \(.coveragePercent) % of the time was monitored." |
  if $uptime == null then . + "\n" | halt_error(3) elif $uptime < $wanted then . + "\n" | halt_error(1) else . end' "$answer"
