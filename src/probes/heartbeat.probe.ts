import { randomUUID } from 'node:crypto';
import { defaultGraceSeconds } from '../domain/heartbeat/heartbeat-schedule.js';
import { HeartbeatAssertion, HeartbeatFields, PING_METHODS, scheduleOf } from './heartbeat/heartbeat-fields.dto.js';
import { type ProbeDefinition } from './probe.js';

export { HeartbeatFields };

export const heartbeatProbe: ProbeDefinition<HeartbeatFields> = {
  type: 'heartbeat',
  label: 'Heartbeat',
  summary:
    'Waits for a job to report on schedule; fails if a report is missing, reports a failure, or a run takes too long.',
  example: {
    key: 'nightly-backup',
    name: 'Nightly backup',
    settings: { schedule: { cron: '0 2 * * *', timezone: 'Europe/Berlin' }, graceSeconds: 1_800, maxRunSeconds: 3_600 },
  },
  fields: HeartbeatFields,
  defaults: {
    settings: { methods: [...PING_METHODS], failWhenBodyMatches: null, maxRunSeconds: null },
    assertions: [],
  },
  form: {
    gist: 'A job that reports when it has run',
    essential: [
      {
        pointer: '/settings/schedule/cron',
        label: 'Cron expression',
        kind: 'text',
        help: 'For example 0 2 * * *. Set this, a systemd calendar event, or a period.',
      },
      {
        pointer: '/settings/schedule/onCalendar',
        label: 'Calendar event',
        kind: 'text',
        help: 'OnCalendar= of a systemd timer, for example Mon..Fri *-*-* 02:00.',
      },
      {
        pointer: '/settings/schedule/timezone',
        label: 'Time zone',
        kind: 'text',
        help: 'Of the cron expression or calendar event, for example Europe/Berlin. Default: UTC.',
      },
      {
        pointer: '/settings/schedule/everySeconds',
        label: 'Period',
        kind: 'seconds',
        usual: [60, 300, 900, 1_800, 3_600, 21_600, 43_200, 86_400, 604_800],
        unset: 'By the expression',
        help: 'The time from one report to the next.',
      },
    ],
    judged: [
      {
        pointer: '/settings/graceSeconds',
        label: 'Grace',
        kind: 'seconds',
        usual: [60, 300, 600, 1_800, 3_600, 21_600],
        unset: 'Default',
        help: 'How late a report may be. Default: a tenth of the shortest interval, 5 to 60 minutes.',
      },
      {
        pointer: '/settings/maxRunSeconds',
        label: 'Longest run',
        kind: 'seconds',
        usual: [60, 300, 900, 1_800, 3_600, 21_600],
        unset: 'No limit',
        help: 'For jobs that report their start.',
      },
      {
        pointer: '/settings/failWhenBodyMatches',
        label: 'Failure if the body matches',
        kind: 'text',
        help: 'A regular expression, for example ERROR.',
      },
      {
        pointer: '/settings/methods',
        label: 'Methods',
        kind: 'list',
        help: `Comma-separated. Default: ${PING_METHODS.join(', ')}.`,
      },
    ],
    sources: HeartbeatAssertion.sources,
  },
  target: ({ settings: { schedule } }) => {
    const { everySeconds, cron, onCalendar, timezone } = schedule;
    if (everySeconds != null) return `every ${everySeconds} s`;
    return `${cron ?? onCalendar} ${timezone ?? 'UTC'}`;
  },
  hosts: () => [],
  secretPaths: () => [['token']],
  // The token is sent nowhere.
  secretScope: () => '',
  awaits: ({ settings: { schedule, graceSeconds, maxRunSeconds } }) => ({
    schedule: scheduleOf(schedule),
    graceMs: graceSeconds! * 1_000,
    maxRunMs: maxRunSeconds == null ? null : maxRunSeconds * 1_000,
  }),
  complete: ({ settings, token, assertions = [] }) => {
    const { everySeconds = null, cron = null, onCalendar = null, timezone = null } = settings.schedule;
    const schedule = { everySeconds, cron, onCalendar, timezone: everySeconds === null ? (timezone ?? 'UTC') : null };
    const graceSeconds = settings.graceSeconds ?? defaultGraceSeconds(scheduleOf(schedule));
    const methods = settings.methods ?? [...PING_METHODS];
    return { settings: { ...settings, schedule, graceSeconds, methods }, token: token ?? randomUUID(), assertions };
  },
};
