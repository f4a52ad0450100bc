import { type MatchedMonitor, type PolicyMatch } from './policy.js';

/**
 * Returns whether a match selects a monitor: it is listed, or it meets all of `tags` (any of them), `allTags` and
 * `types` that are given. `notTags` alone selects every other monitor. A monitor with one of `notTags` is never
 * selected, not even if it is listed.
 */
export function matches(match: PolicyMatch, monitor: MatchedMonitor): boolean {
  if ('all' in match) return true;
  const { monitorIds = [], tags = [], allTags = [], notTags = [], types = [] } = match;
  const has = (tag: string) => monitor.tags.includes(tag);
  if (notTags.some(has)) return false;
  if (monitorIds.includes(monitor.id)) return true;
  if (listsMonitorsOnly(match)) return false;
  return (
    (tags.length === 0 || tags.some(has)) && allTags.every(has) && (types.length === 0 || types.includes(monitor.type))
  );
}

/**
 * Returns whether a match selects the monitors that it lists and no others. This does not depend on whether they still
 * exist: a list of monitors must not select all the others once they are deleted.
 */
export function listsMonitorsOnly(match: PolicyMatch): boolean {
  return !('all' in match) && !hasCondition(match) && !!match.monitorIds?.length;
}

/** Returns whether a match selects all monitors that do not have certain tags. */
export function excludesTagsOnly(match: PolicyMatch): boolean {
  return !('all' in match) && !hasCondition(match) && !match.monitorIds?.length && !!match.notTags?.length;
}

/** Returns whether a match selects monitors by their tags or types. */
function hasCondition({ tags = [], allTags = [], types = [] }: Exclude<PolicyMatch, { all: true }>): boolean {
  return tags.length + allTags.length + types.length > 0;
}

/** Returns whether a match has no member that could select or exclude a monitor. */
export function isEmptyMatch(match: PolicyMatch): boolean {
  if ('all' in match) return false;
  return Object.values(match).every((list: readonly string[] | undefined) => !list?.length);
}
