#!/usr/bin/env bash
# Waits until CHECKS consecutive checks of the monitor KEY pass. Requests the checks itself, PAUSE seconds apart.
# Fails after LIMIT seconds and prints the last error: wait-until-green.sh KEY [CHECKS [LIMIT [PAUSE]]]
set -euo pipefail
: "${DAYWATCH_URL:?}" "${DAYWATCH_API_KEY:?}" "${1:?usage: wait-until-green.sh KEY [CHECKS [LIMIT [PAUSE]]]}"
checks=${2:-3} limit=${3:-300} pause=${4:-5} green=0 error='no check has finished'
answer=$(mktemp); trap 'rm -f "$answer"' EXIT
until ((green == checks)); do
  ((left = limit - SECONDS, left > 0)) || { echo "Not green after $limit s. Last error: $error" >&2; exit 1; }
  curl -sS --fail-with-body --max-time "$left" --retry 5 --retry-max-time "$left" --retry-connrefused -o "$answer" \
    -H @<(printf 'Authorization: Bearer %s\n' "$DAYWATCH_API_KEY") -H "Idempotency-Key: green-$RANDOM$RANDOM$RANDOM$RANDOM" \
    -X POST "${DAYWATCH_URL%/}/v1/monitors/key:$1/checks?wait=true" || { ((code = $?, code == 28)) && continue; cat "$answer" >&2; exit "$code"; }
  last=$(jq -r '[.status // "unfinished", .checkedAt, .error.message] | map(values) | join(" ")' "$answer"); echo "$last"
  if [[ $last == up* ]]; then ((green += 1)); else green=0 error=$last; fi; ((green == checks)) || sleep "$pause"
done
