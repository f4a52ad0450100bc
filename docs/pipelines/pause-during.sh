#!/usr/bin/env bash
# Pauses the monitor KEY while COMMAND runs, and resumes it on any exit: pause-during.sh KEY COMMAND [ARGUMENT...]
# It never touches a pause that it did not start. If nothing ends its own pause, the pause ends by itself after an hour.
set -euo pipefail
: "${DAYWATCH_URL:?}" "${DAYWATCH_API_KEY:?}" "${2:?usage: pause-during.sh KEY COMMAND [ARGUMENT...]}"
monitor=${DAYWATCH_URL%/}/v1/monitors/key:$1 run=deployment-${GITHUB_RUN_ID:-${CI_JOB_ID:-$$}}-$RANDOM$RANDOM$RANDOM
answer=$(mktemp) code=0; trap 'rm -f "$answer"' EXIT
api() { etag=$(curl -sS --fail-with-body --max-time 30 --retry 5 --retry-connrefused -o "$answer" -w '%header{etag}' \
  -H @<(printf 'Authorization: Bearer %s\n' "$DAYWATCH_API_KEY") -H "Idempotency-Key: $run$2" \
  -X "$1" "$monitor$2" "${@:3}") || { local status=$?; echo "$(<"$answer")" >&2; return "$status"; }; }
resume() { api GET '' && if [ "$(jq -r .pauseReason "$answer")" = "$run" ]; then api POST /resume -H "If-Match: $etag"; fi; }
api GET '' # the pause sends this version, and is rejected if somebody else was faster
if [ "$(jq .pausedAt "$answer")" != null ]; then "${@:2}"; exit; fi
trap 'code=$?; resume || code=$((code ? code : 1)); rm -f "$answer"; exit "$code"' EXIT
api POST /pause -H "If-Match: $etag" --json "{\"durationSeconds\": 3600, \"reason\": \"$run\"}" && "${@:2}"
