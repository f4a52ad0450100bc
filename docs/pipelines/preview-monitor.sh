#!/usr/bin/env bash
# On each push: monitors the preview NAME at URL for another three days: preview-monitor.sh NAME URL
# On close: deletes the monitor; succeeds even if it has already expired: preview-monitor.sh NAME
set -euo pipefail
: "${DAYWATCH_URL:?}" "${DAYWATCH_API_KEY:?}" "${1:?usage: preview-monitor.sh NAME [URL]}"
answer=$(mktemp); trap 'rm -f "$answer"' EXIT
definition=$(jq -n --arg name "Preview $1" --arg url "${2-}" \
  '{name: $name, type: "http", url: $url, intervalSeconds: 300, tags: ["preview"], expiresInSeconds: (3 * 86400)}')
if (($# > 1)); then call=(-X PUT --json @-); else call=(-X DELETE); fi
status=$(curl -sS --fail-with-body --max-time 30 --retry 5 --retry-connrefused -o "$answer" -w '%{http_code}' \
  -H @<(printf 'Authorization: Bearer %s\n' "$DAYWATCH_API_KEY") \
  "${call[@]}" "${DAYWATCH_URL%/}/v1/monitors/key:preview-$1" <<<"$definition") ||
  { code=$?; [ "${call[1]} $status" = 'DELETE 404' ] || { echo "$(<"$answer")" >&2; exit "$code"; }; }
if (($# > 1)); then jq -r '"\(.htmlUrl) until \(.expiresAt)"' "$answer"; else echo "preview-$1 is deleted"; fi
