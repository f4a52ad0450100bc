#!/usr/bin/env bash
# Gives the key in DAYWATCH_API_KEY a new secret and writes that to FILE, readable by you alone: rotate-key.sh FILE [OVERLAP]
# The former secret works for OVERLAP seconds more (a day). Within them, whatever went wrong, run this again.
set -euo pipefail
: "${DAYWATCH_URL:?}" "${DAYWATCH_API_KEY:?}" "${1:?usage: rotate-key.sh FILE [OVERLAP]}"
new=$(mktemp "$1.XXXXXX") # beside FILE, so that mv puts it in place at once
trap 'rm -f "$new"' EXIT
self() { curl -sS --fail-with-body --max-time 30 --retry 5 --retry-connrefused -o "$new" -w '%header{etag}' \
  -H @<(printf 'Authorization: Bearer %s\n' "$DAYWATCH_API_KEY") "${@:2}" \
  "${DAYWATCH_URL%/}/v1/api-keys/self$1" || { local code=$?; echo "$(<"$new")" >&2; return "$code"; }; }
etag=$(self '') # with it, a request that arrives twice rotates once
self /rotate -X POST -H "If-Match: $etag" --json "{\"overlapSeconds\": ${2:-86400}}" >/dev/null
until=$(jq -r .previousExpiresAt "$new") secret=$(jq -er .secret "$new")
printf '%s\n' "$secret" >"$new"; mv -f "$new" "$1"
echo "The new secret is in $1. The former one works until $until."
