#!/usr/bin/env bash
# Creates or replaces each monitor in FILE by its key, eight at a time, parents first; fails if one fails: apply-monitors.sh FILE
# FILE is a JSON array of definitions, or has one definition per line. Rate-limited requests wait for Retry-After.
set -euo pipefail
: "${DAYWATCH_URL:?}" "${DAYWATCH_API_KEY:?}" "${1:?usage: apply-monitors.sh FILE}"; work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
jq -cs 'def levels: INDEX("key:\(.key)") as $all | group_by(any(.parentIds[]?; $all[tostring])) | if length == 2 then .[0], (.[1] | levels) else .[] end;
  flatten(1) | if map(.key | strings) | length == (unique | length) then levels else error("duplicate key") end' "$1" >"$work/levels"
level=0; for size in $(jq length "$work/levels"); do for ((worker = 0; worker < 8 && worker < size; worker++)); do # each is one curl, configured by its input
  jq -rs --argjson level "$level" --argjson worker "$worker" --arg work "$work" '.[$level] | [range($worker; length; 8) as $i | .[$i] | "request = PUT
    url = \"\(env.DAYWATCH_URL | rtrimstr("/"))/v1/monitors/key:\(.key // "" | @uri)\"\ndata = \(tojson | tojson)\noutput = \"\($work)/\($level)-\($i)\"
    header = \"Authorization: Bearer \(env.DAYWATCH_API_KEY)\"\nheader = \"Content-Type: application/json\"\nwrite-out = \"%{http_code}\\n\"
    fail-with-body\nmax-time = 30\nretry = 9\nretry-max-time = 120"] | join("\nnext\n")' "$work/levels" | curl -sS --config - 2>>"$work/errors.$worker" &
done; wait; ((level += 1)); done >"$work/codes"; applied=$(grep -c '^20' "$work/codes" || true) total=$(jq -s 'flatten(1) | length' "$work/levels")
echo "$applied of $total monitors applied"; ((applied == total)) || { sort -u "$work"/errors.*; jq -cs 'group_by([.detail, .errors])[] | select(.[0].code) |
  [.[0].detail, .[0].errors, map(.instance)[:9]]' "$work"/[0-9]* || true; exit 1; } >&2
