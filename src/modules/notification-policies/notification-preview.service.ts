import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type AlertFacts, type NotificationFacts } from '../../domain/notification-plan/facts.js';
import { forecast } from '../../domain/notification-plan/forecast.js';
import { type PlannedNotification } from '../../domain/notification-plan/planned.js';
import { type MatchedMonitor } from '../../domain/notification-plan/policy.js';
import { type TeamId } from '../../http/auth/principal.js';
import { readObject, validateBody } from '../../http/body/validation.js';
import { validationFailed } from '../../http/problems/problem.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type NamedChannel } from './channel-directory.service.js';
import {
  type NotificationPreviewDto,
  type PreviewedNotificationDto,
  PreviewNotificationsDto,
} from './dto/preview.dto.js';
import { toNotifiedChannel } from './notification-policies.service.js';
import { PolicyReferences } from './policy-references.service.js';
import { PolicyRules, UNSAVED_POLICY } from './policy-rules.service.js';
import { SilencesService } from './silences.service.js';

/** How long the previewed event lasts. */
const PREVIEW_MS = 86_400_000;

/** Predicts whom an event would notify, with the planner that decides about real ones. */
@Injectable()
export class NotificationPreviewService {
  constructor(
    private readonly rules: PolicyRules,
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
    const rules = dto.policy == null ? await this.rules.all(teamId) : [await this.rules.unsaved(teamId, dto.policy)];
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
  const policyOf = ({ policyId }: PlannedNotification) => (policyId === UNSAVED_POLICY ? null : policyId);
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
