import { Injectable } from '@nestjs/common';
import { isTimeZone } from '../../../domain/time-zone.js';
import { FormFields } from '../../../http/body/form-fields.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { validationFailed } from '../../../http/problems/problem.js';
import { DrillsService, type OpenDrill } from '../../incidents/drills.service.js';
import { ChannelDirectory } from '../../notification-policies/channel-directory.service.js';
import { type MonitorPoliciesDto } from '../../notification-policies/dto/monitor-policy.dto.js';
import { type NotificationPreviewDto } from '../../notification-policies/dto/preview.dto.js';
import { NotificationPoliciesService } from '../../notification-policies/notification-policies.service.js';
import { NotificationPreviewService } from '../../notification-policies/notification-preview.service.js';
import { attempt } from '../attempt.js';
import { FormState, type FormShape } from '../form-state.js';
import { momentOf } from '../moments.js';
import { nextSunday } from './forecast.js';

/** The question of who would be notified. */
export const FORECAST_FORM: FormShape = {
  id: 'forecast',
  labels: { '/event': 'If it', '/at': 'At', '/zone': 'Time zone' },
};
const DEFAULT_ZONE = 'UTC';

/** Who is notified of a monitor, and who would be. */
export interface Alerts {
  applied: MonitorPoliciesDto;
  /** Whether the team has a channel; without one, the first step is to create it. */
  hasChannel: boolean;
  form: FormState;
  /** The drill that has not ended, if there is one. */
  drill: OpenDrill | null;
  /** The answer, if the question was asked and is valid. */
  forecast: { event: string; at: string; zone: string; preview: NotificationPreviewDto } | null;
}

/** Reads for the page of a monitor who is notified, and predicts who would be. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly policies: NotificationPoliciesService,
    private readonly previews: NotificationPreviewService,
    private readonly channels: ChannelDirectory,
    private readonly drills: DrillsService,
  ) {}

  /** @param sent the query of the page, which may ask the question */
  async of(teamId: TeamId, id: string, sent: Readonly<Record<string, unknown>>, nowMs: number): Promise<Alerts> {
    const [applied, channels, drill, { form, forecast }] = await Promise.all([
      this.policies.appliedTo(teamId, id),
      this.channels.all(teamId),
      this.drills.openOf(id),
      this.ask(teamId, id, sent, nowMs),
    ]);
    return { applied, hasChannel: channels.length > 0, drill, form, forecast };
  }

  private async ask(
    teamId: TeamId,
    monitorId: string,
    sent: Readonly<Record<string, unknown>>,
    nowMs: number,
  ): Promise<Pick<Alerts, 'form' | 'forecast'>> {
    const { event, at, zone = DEFAULT_ZONE } = sent;
    if (typeof event !== 'string' || typeof at !== 'string' || typeof zone !== 'string') {
      const defaults = { event: 'down', at: nextSunday(nowMs, DEFAULT_ZONE), zone: DEFAULT_ZONE };
      return { form: FormState.blank(FORECAST_FORM, defaults), forecast: null };
    }
    const fields = new FormFields(new URLSearchParams({ event, at, zone }));
    const body = { monitorId, event, at: momentOf(at.trim(), zone.trim()) ?? at };
    const { value: preview, refusal } = await attempt(async () => {
      if (!isTimeZone(zone.trim()))
        throw validationFailed([
          { pointer: '/zone', code: 'invalid_value', detail: 'Enter an IANA time zone, such as Europe/Berlin.' },
        ]);
      return this.previews.preview(teamId, body, nowMs);
    });
    if (refusal) return { form: FormState.refused(FORECAST_FORM, fields, refusal), forecast: null };
    return {
      form: FormState.sent(FORECAST_FORM, fields),
      forecast: { event, at: body.at, zone: zone.trim(), preview },
    };
  }
}
