import { excludesTagsOnly, isEmptyMatch, listsMonitorsOnly } from '../../domain/notification-plan/matches.js';
import {
  DEFAULT_EVENTS,
  type MonitorCriteria,
  type NotifiedEvent,
  type PolicyMatch,
  type PolicyStep,
  type QuietHours,
  WEEKDAYS,
} from '../../domain/notification-plan/policy.js';
import { isJsonObject, type JsonObject } from '../../http/body/json.js';
import { mergePatch, nullStrays } from '../../http/body/merge-patch.js';
import { inspectBody } from '../../http/body/validation.js';
import { type FieldError } from '../../http/problems/problem.js';
import { CreateNotificationPolicyDto, type QuietHoursDto } from './dto/create-notification-policy.dto.js';
import { READ_ONLY_FIELDS } from './dto/notification-policy.dto.js';
import { type PolicyMatchDto } from './dto/policy-match.dto.js';

/** The columns of a policy that a caller writes. Before they are resolved, `match` and `steps` have addresses. */
export interface PolicyDefinition {
  key: string | null;
  name: string;
  enabled: boolean;
  match: PolicyMatch;
  events: NotifiedEvent[];
  steps: PolicyStep[];
  repeatEverySeconds: number | null;
  quietHours: QuietHours | null;
}

export type PolicyOutcome = { policy: PolicyDefinition; errors: [] } | { policy: null; errors: FieldError[] };

/** Validates a whole policy, as sent or after a merge. `null` has the same effect as omitting a field. */
export function readPolicy(body: JsonObject): PolicyOutcome {
  const { instance, errors } = inspectBody(CreateNotificationPolicyDto, body, { readOnly: READ_ONLY_FIELDS });
  if (errors.length === 0) errors.push(...policyFaults(instance));
  return errors.length > 0 ? { policy: null, errors } : { policy: definitionOf(instance), errors: [] };
}

/** Returns what the rules of single fields cannot find wrong with a policy. */
export function policyFaults(dto: CreateNotificationPolicyDto): FieldError[] {
  return [...matchFaults(dto.match), ...stepFaults(dto), ...quietFaults(dto.quietHours ?? null)];
}

export function definitionOf(dto: CreateNotificationPolicyDto): PolicyDefinition {
  return {
    key: dto.key ?? null,
    name: dto.name,
    enabled: dto.enabled ?? true,
    match: matchOf(dto.match),
    events: [...(dto.on ?? DEFAULT_EVENTS)],
    steps: dto.steps.map(({ afterSeconds, channelIds }) => ({ afterSeconds, channelIds })),
    repeatEverySeconds: dto.repeatEverySeconds ?? null,
    quietHours: dto.quietHours == null ? null : hoursOf(dto.quietHours),
  };
}

/** Returns a match in the form in which it is stored, with the addresses of monitors as sent. */
export function matchOf({ all, monitorIds, tags, allTags, notTags, types }: PolicyMatchDto): PolicyMatch {
  if (all) return { all: true };
  const lists = { monitorIds, tags, allTags, notTags, types };
  const given = Object.entries(lists).map(([name, list]) => [name, list ?? []] as const);
  return Object.fromEntries(given) satisfies MonitorCriteria;
}

/** @param pointer the pointer to the match in the body */
export function matchFaults(dto: PolicyMatchDto, pointer = '/match'): FieldError[] {
  const { all, ...lists } = dto;
  const filled = Object.entries(lists).filter(([, list]) => Array.isArray(list) && list.length > 0);
  if (all && filled.length > 0) {
    const detail = 'A match with all set to true must not have other fields.';
    return filled.map(([name]) => ({ pointer: `${pointer}/${name}`, code: 'not_applicable', detail }));
  }
  if (!isEmptyMatch(matchOf(dto))) return [];
  return [{ pointer, code: 'required', detail: 'Select all monitors, or specify monitors, tags or types.' }];
}

/**
 * Applies a merge patch to the writable fields of a policy, or to one of its objects. Nulls for fields that are absent
 * stay, so that `readPolicy` rejects unknown ones.
 */
export function patchPolicy(current: JsonObject, patch: JsonObject): JsonObject {
  const below = Object.entries(patch).flatMap(([name, sent]) => {
    const stored = current[name];
    return isJsonObject(sent) ? [[name, patchPolicy(isJsonObject(stored) ? stored : {}, sent)] as const] : [];
  });
  return { ...mergePatch(current, patch), ...nullStrays(current, patch), ...Object.fromEntries(below) };
}

/** Returns whether a patch leaves the monitors that a policy lists as they are stored. */
export function keepsMonitors({ match }: JsonObject): boolean {
  return !isJsonObject(match) || !('monitorIds' in match || match.all === true);
}

/**
 * Returns whether a whole policy with an empty list of monitors, as the stored one is shown once the monitors that it
 * lists are deleted, would select all monitors without `notTags` instead. Omitting the list does so on purpose.
 */
export function selectsOthers({ match: sent }: JsonObject, accepted: PolicyMatch, stored: PolicyMatch): boolean {
  const isSentEmpty = isJsonObject(sent) && Array.isArray(sent.monitorIds) && sent.monitorIds.length === 0;
  return isSentEmpty && listsMonitorsOnly(stored) && excludesTagsOnly(accepted);
}

function stepFaults({ steps }: CreateNotificationPolicyDto): FieldError[] {
  return steps.flatMap(({ afterSeconds }, index): FieldError[] => {
    if (index === 0 || afterSeconds >= steps[index - 1]!.afterSeconds) return [];
    const detail = 'A step must not be due earlier than the previous one.';
    return [{ pointer: `/steps/${index}/afterSeconds`, code: 'out_of_range', detail }];
  });
}

function quietFaults(dto: QuietHoursDto | null): FieldError[] {
  if (dto === null || dto.from !== dto.to || hoursOf(dto).days.length < WEEKDAYS.length) return [];
  const detail = 'Quiet hours must not cover the whole week. Disable the policy instead.';
  return [{ pointer: '/quietHours', code: 'out_of_range', detail }];
}

function hoursOf({ timezone, days, from, to, except }: QuietHoursDto): QuietHours {
  return { timezone: timezone ?? 'UTC', days: days ?? WEEKDAYS, from, to, except: except ?? [] };
}
