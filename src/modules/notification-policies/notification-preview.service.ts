import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type AlertFacts, type NotificationFacts } from '../../domain/notification-plan/facts.js';
import { forecast } from '../../domain/notification-plan/forecast.js';
import { type PlannedNotification } from '../../domain/notification-plan/planned.js';
import { type MatchedMonitor, type PolicyRule } from '../../domain/notification-plan/policy.js';
import { type TeamId } from '../../http/auth/principal.js';
import { jsonPointer } from '../../http/body/json.js';
import { readObject, validateBody } from '../../http/body/validation.js';
import { ProblemException, validationFailed } from '../../http/problems/problem.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type NamedChannel } from './channel-directory.service.js';
import { type CreateNotificationPolicyDto } from './dto/create-notification-policy.dto.js';
import {
  type NotificationPreviewDto,
  type PreviewedNotificationDto,
  PreviewNotificationsDto,
} from './dto/preview.dto.js';
import { NotificationPoliciesService, toNotifiedChannel } from './notification-policies.service.js';
import { toRule } from './notification-policy.mapper.js';
import { PolicyReferences } from './policy-references.service.js';
import { definitionOf, policyFaults } from './policy-write.js';
import { SilencesService } from './silences.service.js';

/** How long the previewed event lasts. */
const PREVIEW_MS = 86_400_000;
/** No stored policy has this id. */
const UNSAVED = '00000000-0000-0000-0000-000000000000';

/** Predicts whom an event would notify, with the planner that decides about real ones. */
@Injectable()
export class NotificationPreviewService {
  constructor(
    private readonly policies: NotificationPoliciesService,
    private readonly references: PolicyReferences,
    private readonly silences: SilencesService,
    private readonly monitors: MonitorsService,
  ) {}

  /** @throws 422 by pointer for a monitor or channel that does not exist, and for an invalid policy */
  async preview(teamId: TeamId, body: unknown, nowMs = Date.now()): Promise<NotificationPreviewDto> {
    const dto = validateBody(PreviewNotificationsDto, readObject(body));
    const monitor = await this.monitors.findOrNull(teamId, dto.monitorId);
    if (!monitor) {
      throw validationFailed([{ pointer: '/monitorId', code: 'invalid_value', detail: 'There is no such monitor.' }]);
    }
    const atMs = dto.at == null ? nowMs : Date.parse(dto.at);
    const rules = dto.policy == null ? await this.stored(teamId) : [await this.unsaved(teamId, dto.policy)];
    const [channels, silences] = await Promise.all([
      this.references.channels(teamId),
      this.silences.activeAt(teamId, atMs),
    ]);
    const facts: NotificationFacts = {
      alert: { ...eventOf(monitor, atMs), event: dto.event ?? 'down', silences },
      channels: [...channels.values()].map(({ id, enabled, failingSince }) => ({
        id,
        enabled,
        failingSince: failingSince?.getTime() ?? null,
      })),
      recorded: [],
    };
    // An event in the past is judged by the policies of today.
    const current = rules.map((rule) => ({ ...rule, activeSince: Math.min(rule.activeSince, atMs) }));
    return toPreview(forecast(facts, current, atMs + PREVIEW_MS), channels);
  }

  private async stored(teamId: TeamId): Promise<PolicyRule[]> {
    return (await this.policies.all(teamId)).map(toRule);
  }

  private async unsaved(teamId: TeamId, policy: CreateNotificationPolicyDto): Promise<PolicyRule> {
    const errors = policyFaults(policy);
    if (errors.length > 0) throw validationFailed(within(errors));
    try {
      const definition = await this.references.resolve(teamId, definitionOf(policy));
      return toRule({ ...definition, id: UNSAVED, activeSince: new Date(0) });
    } catch (error) {
      if (error instanceof ProblemException && error.errors) throw validationFailed(within(error.errors));
      throw error;
    }
  }
}

/** Returns the errors of a policy as those of the body that contains it. */
function within<E extends { pointer?: string }>(errors: readonly E[]): E[] {
  return errors.map((error) => ({ ...error, pointer: `${jsonPointer(['policy'])}${error.pointer ?? ''}` }));
}

function eventOf({ id, type, tags }: MatchedMonitor, recordedAt: number): Omit<AlertFacts, 'event' | 'silences'> {
  return {
    incidentId: uuidv7(),
    episode: 1,
    recordedAt,
    monitors: [{ id, type, tags, maintenance: [] }],
    children: [],
    end: null,
    retractedAt: null,
    acknowledgements: [],
    upSpans: [],
    parents: [],
  };
}

function toPreview(
  { sent, unsent }: ReturnType<typeof forecast>,
  channels: ReadonlyMap<string, NamedChannel>,
): NotificationPreviewDto {
  const channelOf = ({ channelId }: PlannedNotification) => {
    const channel = channels.get(channelId ?? '');
    return channel ? toNotifiedChannel(channel) : null;
  };
  const policyOf = ({ policyId }: PlannedNotification) => (policyId === UNSAVED ? null : policyId);
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    notifications: sent.flatMap((one): PreviewedNotificationDto[] => {
      const channel = channelOf(one);
      const kind = one.kind as PreviewedNotificationDto['kind'];
      return channel ? [{ at: time(one.dueAt)!, kind, policyId: policyOf(one), step: one.step, channel }] : [];
    }),
    unsent: unsent.map((one) => ({
      reason: one.reason ?? 'pending',
      at: one.status === 'suppressed' ? null : time(one.dueAt),
      policyId: policyOf(one),
      channel: channelOf(one),
    })),
  };
}
