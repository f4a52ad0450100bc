#!/usr/bin/env bash
# Creates or replaces each monitor in FILE by its key, eight at a time; fails if any of them fails: apply-monitors.sh FILE
# FILE is a JSON array of definitions, or has one definition per line. Rate-limited requests wait for Retry-After.
set -euo pipefail
: "${DAYWATCH_URL:?}" "${DAYWATCH_API_KEY:?}" "${1:?usage: apply-monitors.sh FILE}"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
total=$(jq -s 'flatten(1) | if map(.key | strings) | length == (unique | length) then length else error("duplicate key") end' "$1")
for ((worker = 0; worker < 8 && worker < total; worker++)); do # each is one curl, configured through its standard input
  jq -rs --argjson worker "$worker" --arg work "$work" 'flatten(1) | [range($worker; length; 8) as $i | .[$i] | "request = PUT
    url = \"\(env.DAYWATCH_URL | rtrimstr("/"))/v1/monitors/key:\(.key // "" | @uri)\"\ndata = \(tojson | tojson)\noutput = \"\($work)/\($i)\"
    header = \"Authorization: Bearer \(env.DAYWATCH_API_KEY)\"\nheader = \"Content-Type: application/json\"\nwrite-out = \"%{http_code}\\n\"
    fail-with-body\nmax-time = 30\nretry = 9\nretry-max-time = 120"] | join("\nnext\n")' "$1" | curl -sS --config - 2>"$work/errors.$worker" &
done >"$work/codes"; wait; applied=$(grep -c '^20' "$work/codes" || true); echo "$applied of $total monitors applied"
((applied == total)) || { sort -u "$work"/errors.*; jq -cs 'group_by([.detail, .errors])[] | select(.[0].code) |
  [.[0].detail, .[0].errors, map(.instance)[:9]]' "$work"/[0-9]* || true; exit 1; } >&2
