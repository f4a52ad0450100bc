#!/usr/bin/env bash
# Rotates the key in DAYWATCH_API_KEY and writes the new secret to FILE (mode 0600): rotate-key.sh FILE [OVERLAP]
# The old secret works for another OVERLAP seconds (one day). If anything goes wrong, run this again within that time.
set -euo pipefail
: "${DAYWATCH_URL:?}" "${DAYWATCH_API_KEY:?}" "${1:?usage: rotate-key.sh FILE [OVERLAP]}"
new=$(mktemp "$1.XXXXXX") # in the folder of FILE, so that mv replaces FILE atomically
trap 'rm -f "$new"' EXIT
self() { curl -sS --fail-with-body --max-time 30 --retry 5 --retry-connrefused -o "$new" -w '%header{etag}' \
  -H @<(printf 'Authorization: Bearer %s\n' "$DAYWATCH_API_KEY") "${@:2}" \
  "${DAYWATCH_URL%/}/v1/api-keys/self$1" || { local code=$?; echo "$(<"$new")" >&2; return "$code"; }; }
etag=$(self '') # with If-Match, a request that arrives twice rotates once
self /rotate -X POST -H "If-Match: $etag" --json "{\"overlapSeconds\": ${2:-86400}}" >/dev/null
until=$(jq -r .previousExpiresAt "$new") secret=$(jq -er .secret "$new")
printf %s "$secret" >"$new"; mv -f "$new" "$1" # without a line break, which GitLab would store or reject
echo "The new secret is in $1. The old secret works until $until."
