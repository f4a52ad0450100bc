#!/usr/bin/env bash
# Puts MONITORS (comma-separated keys) in maintenance while COMMAND runs: maintain-during.sh MONITORS COMMAND [ARGUMENT...]
# Each run has its own window, so deployments may overlap. If nothing ends the window, it ends by itself after an hour.
set -euo pipefail
: "${DAYWATCH_URL:?}" "${DAYWATCH_API_KEY:?}" "${2:?usage: maintain-during.sh MONITORS COMMAND [ARGUMENT...]}"
run=deployment-${GITHUB_RUN_ID:-${CI_JOB_ID:-$$}}-$RANDOM$RANDOM$RANDOM
answer=$(mktemp) code=0; trap 'rm -f "$answer"' EXIT
api() { curl -sS --fail-with-body --max-time 30 --retry 5 --retry-connrefused -o "$answer" \
  -H @<(printf 'Authorization: Bearer %s\n' "$DAYWATCH_API_KEY") -H "Idempotency-Key: $run$2" \
  -X "$1" "${DAYWATCH_URL%/}/v1/maintenance-windows/key:$run$2" "${@:3}" ||
  { local status=$?; echo "$(<"$answer")" >&2; return "$status"; }; }
api PUT '' --json "$(jq -nc --arg name "$run" --arg keys "$1" '{$name, notifySubscribers: false, monitorIds: ($keys | split(",") | map("key:" + .))}')"
trap 'code=$?; api POST /end || code=$((code ? code : 1)); rm -f "$answer"; exit "$code"' EXIT
api POST /start --json '{"durationSeconds": 3600}' && "${@:2}"
