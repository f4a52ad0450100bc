import { counted } from '../../../../html/counted.js';
import { exactDuration } from '../../../../html/time-text.js';
import { type FormField } from '../../../../domain/form-field.js';
import { awaitsReports } from '../../../../probes/index.js';
import { customField, type DurationUnit, durationWord } from '../../html/duration-choice.js';

export const NAME: FormField = { pointer: '/name', label: 'Name', kind: 'text', required: true };
/** Without a name, a new monitor is named after its target. */
export const NEW_NAME: FormField = { ...NAME, required: false, help: 'Default: the target.' };
const USUAL_INTERVALS = [10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 21_600, 43_200, 86_400];

/** Returns the control for the interval, of at least `minSeconds`. */
export function intervalField(minSeconds: number): FormField {
  return {
    pointer: '/intervalSeconds',
    label: 'Check every',
    kind: 'seconds',
    usual: USUAL_INTERVALS.filter((seconds) => seconds >= minSeconds),
    ...(minSeconds > 1 && { help: `At least ${exactDuration(minSeconds * 1_000)}.` }),
  };
}

export const TAGS: FormField = {
  pointer: '/tags',
  label: 'Tags',
  kind: 'list',
  help: 'Comma-separated, for example production, payments.',
};

/** Of the thresholds, those that a monitor which waits for reports does not have. */
const OF_CHECKS: ReadonlySet<string> = new Set(['/timeoutMs', '/retryIntervalSeconds']);

/** Returns the controls for the thresholds of a type. */
export function thresholdsOf(type: string): readonly FormField[] {
  return awaitsReports(type) ? REPORT_THRESHOLDS : THRESHOLDS;
}

const THRESHOLDS: readonly FormField[] = [
  {
    pointer: '/timeoutMs',
    label: 'Timeout',
    kind: 'milliseconds',
    usual: [1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000],
    unset: 'Default',
    help: 'For the whole check. Default: 10 seconds, or the interval if that is shorter.',
    brief: durationBrief('timeoutMs', 'milliseconds', 'timeout'),
  },
  {
    pointer: '/degradedAfterMs',
    label: 'Degraded above',
    kind: 'milliseconds',
    usual: [200, 500, 1_000, 2_000, 5_000, 10_000],
    unset: 'No limit',
    help: 'Slower responses count as degraded.',
    brief: durationBrief('degradedAfterMs', 'milliseconds', 'degraded above'),
  },
  {
    pointer: '/failureThreshold',
    label: 'Failures before down',
    kind: 'integer',
    help: 'Consecutive failed checks, 1 to 10. Default: 2.',
    brief: (texts) => `down after ${counted(texts('failureThreshold') || '2', 'failure')}`,
  },
  {
    pointer: '/recoveryThreshold',
    label: 'Successes before up',
    kind: 'integer',
    help: 'Consecutive passed checks, 1 to 10. Default: 1.',
    brief: (texts) => `up after ${counted(texts('recoveryThreshold') || '1', 'success')}`,
  },
  {
    pointer: '/retryIntervalSeconds',
    label: 'Re-check every',
    kind: 'seconds',
    usual: [1, 2, 5, 10, 15, 30, 60, 300],
    unset: 'A third of the interval',
    help: 'While a change of state is being confirmed.',
  },
];

const REPORT_THRESHOLDS: readonly FormField[] = THRESHOLDS.filter(({ pointer }) => !OF_CHECKS.has(pointer)).map(
  (field): FormField => {
    if (field.pointer === '/degradedAfterMs') return { ...field, help: 'Longer runs count as degraded.' };
    if (field.pointer !== '/failureThreshold') return { ...field, help: 'Consecutive reports, 1 to 10. Default: 1.' };
    return {
      ...field,
      help: 'Consecutive failures or missing reports, 1 to 10. Default: 1.',
      brief: (texts) => `down after ${counted(texts('failureThreshold') || '1', 'failure')}`,
    };
  },
);

/** The controls for locations, which forms show if there are several. */
export function placeFields(keys: readonly string[]): readonly FormField[] {
  return [
    {
      pointer: '/locations',
      label: 'Locations',
      kind: 'list',
      help: `Comma-separated. Available: ${keys.join(', ')}.`,
      brief: (texts) => (texts('locations') === '' ? 'from default' : `from ${texts('locations')}`),
    },
    {
      pointer: '/quorum',
      label: 'Down if it fails at',
      kind: 'integer',
      choices: [
        { value: 'majority', label: 'More than half of the locations' },
        { value: 'any', label: 'Any location' },
        { value: 'all', label: 'All locations' },
        ...keys.map((_, index) => ({ value: String(index + 1), label: `At least ${counted(index + 1, 'location')}` })),
      ],
      help: 'If it fails at fewer of them, it is degraded.',
    },
  ];
}

export const ABOUT: readonly FormField[] = [
  {
    pointer: '/key',
    label: 'Key',
    kind: 'text',
    help: 'Optional. A stable identifier that pipelines can use instead of the ID, such as checkout-api.',
    brief: (texts) => (texts('key') === '' ? 'no key' : `key ${texts('key')}`),
  },
  {
    pointer: '/description',
    label: 'Description',
    kind: 'text',
    lines: 3,
    brief: (texts) => (texts('description').trim() === '' ? 'no description' : 'with a description'),
  },
  {
    pointer: '/runbookUrl',
    label: 'Runbook URL',
    kind: 'text',
    help: 'Optional. Instructions for responding to an outage. Notifications link to it. Starts with https:// or http://.',
    brief: (texts) => (texts('runbookUrl').trim() === '' ? 'no runbook' : 'with a runbook'),
  },
];

function durationBrief(name: string, unit: DurationUnit, word: string): FormField['brief'] {
  return (texts) => {
    const duration = durationWord(unit, texts(name), texts(customField(name)));
    return duration === null ? null : `${word} ${duration}`;
  };
}
