#!/usr/bin/env bash
# Creates the notification policy KEY from the definition in FILE (JSON), or replaces its definition: apply-policy.sh KEY FILE
set -euo pipefail
: "${DAYWATCH_URL:?}" "${DAYWATCH_API_KEY:?}" "${2:?usage: apply-policy.sh KEY FILE}"
[ -r "$2" ] || { echo "$2 cannot be read" >&2; exit 2; }
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
curl -sS --fail-with-body --max-time 30 --retry 5 --retry-connrefused -o "$answer" \
  -H @<(printf 'Authorization: Bearer %s\n' "$DAYWATCH_API_KEY") \
  -X PUT --json @"$2" "${DAYWATCH_URL%/}/v1/notification-policies/key:$1" || { code=$?; echo "$(<"$answer")" >&2; exit "$code"; }
jq -r '"\(.name) is \(if .enabled then "enabled" else "disabled" end), \(.steps | length | if . == 1 then "1 step" else "\(.) steps" end), revision \(.revision)"' "$answer"
