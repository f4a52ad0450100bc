import { type PolicyMatch, type PolicyRule } from '../../domain/notification-plan/policy.js';
import {
  type NotificationPolicyDto,
  type ShownMatchDto,
  type ShownQuietHoursDto,
} from './dto/notification-policy.dto.js';
import { type NotificationPolicy } from './notification-policy.entity.js';
import { type PolicyDefinition } from './policy-write.js';

/** @param existing the ids of the monitors that have not been deleted */
export function toPolicyDto(policy: NotificationPolicy, existing: ReadonlySet<string>): NotificationPolicyDto {
  return {
    id: policy.id,
    revision: policy.revision,
    key: policy.key,
    name: policy.name,
    enabled: policy.enabled,
    match: shownMatch(policy.match, existing),
    on: policy.events,
    steps: policy.steps.map(({ afterSeconds, channelIds }) => ({ afterSeconds, channelIds: [...channelIds] })),
    repeatEverySeconds: policy.repeatEverySeconds,
    quietHours: shownHours(policy.quietHours),
    createdAt: policy.createdAt.toISOString(),
    updatedAt: policy.updatedAt.toISOString(),
  };
}

/** Returns the fields of a policy that a caller can write, with these monitors in its list if they are stored in it. */
export function writableFields(policy: NotificationPolicy, listed: ReadonlySet<string>): object {
  const { id: _, revision: __, createdAt: ___, updatedAt: ____, ...fields } = toPolicyDto(policy, listed);
  return fields;
}

/** Returns the monitors that a match lists, deleted ones included. */
export function listedIn(match: PolicyMatch): ReadonlySet<string> {
  return new Set('all' in match ? [] : match.monitorIds);
}

/** Returns a match as it is shown, with its members in a fixed order, which `jsonb` does not keep. */
export function shownMatch(match: PolicyMatch, existing: ReadonlySet<string>): ShownMatchDto {
  const all = 'all' in match;
  const { monitorIds = [], tags = [], allTags = [], notTags = [], types = [] } = all ? {} : match;
  return {
    all,
    monitorIds: monitorIds.filter((id) => existing.has(id)),
    tags: [...tags],
    allTags: [...allTags],
    notTags: [...notTags],
    types: [...types],
  };
}

export function shownHours(hours: PolicyDefinition['quietHours']): ShownQuietHoursDto | null {
  if (hours === null) return null;
  const { timezone, days, from, to, except } = hours;
  return { timezone, days: [...days], from, to, except: [...except] };
}

/** Returns a policy as plans need it. */
export function toRule({
  id,
  activeSince,
  events,
  ...policy
}: PolicyDefinition & { id: string; activeSince: Date }): PolicyRule {
  const { enabled, match, steps, repeatEverySeconds, quietHours } = policy;
  const times = { activeSince: activeSince.getTime(), repeatEverySeconds, quietHours };
  return { id, enabled, match, on: events, steps, ...times };
}
