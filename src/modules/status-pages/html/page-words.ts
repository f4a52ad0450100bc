import { type Mark } from '../../../html/marks.js';
import { PHASE_WORDS, statusMark, statusWord } from '../../../html/status-words.js';
import { type Clock, duration } from '../../../html/time-text.js';
import { type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type PublicMaintenanceDto } from '../dto/public-maintenance.dto.js';
import { type PublicComponentDto, type PublicPageDto } from '../dto/public-page.dto.js';

/** Returns the displayed state of an incident: while it is open, the mark of its impact and its latest phase. */
export function incidentState({ status, impact, updates }: PublicIncidentDto): { mark: Mark; word: string } {
  if (status === 'resolved') return { mark: 'up', word: 'Resolved' };
  const mark = impact === 'none' ? 'unknown' : impact;
  const told = updates.find(({ phase }) => phase !== 'note');
  return { mark, word: told ? PHASE_WORDS[told.phase] : 'Open' };
}

/**
 * Returns the current maintenance of a component whose state is `maintenance`. Its end is shown instead of the start of
 * the state, because it is more useful to visitors.
 */
export function workOn(
  { maintenance }: Pick<PublicPageDto, 'maintenance'>,
  { id, status }: PublicComponentDto,
): PublicMaintenanceDto | undefined {
  if (status !== 'maintenance') return undefined;
  return maintenance.find(({ active, componentIds }) => active && componentIds.includes(id));
}

/** Returns the word for the state of a component. `up` is "Operational", as is common on status pages. */
export function wordOf(status: MonitorStatus): string {
  return status === 'up' ? 'Operational' : statusWord(status);
}

/** The marks of components, worst first. */
const SEVERITY: readonly Mark[] = ['down', 'degraded', 'maintenance', 'unknown', 'paused', 'excluded', 'up'];

/** Returns the state of a group: its worst mark, how many components are operational, and whether any has a problem. */
export function groupState(components: readonly PublicComponentDto[]): {
  mark: Mark;
  word: string;
  isTrouble: boolean;
} {
  const marks = components.map(({ status }) => statusMark(status));
  const mark = SEVERITY.find((one) => marks.includes(one)) ?? 'unknown';
  const up = marks.filter((one) => one === 'up').length;
  return {
    mark,
    word: up === components.length ? wordOf('up') : `${up} of ${components.length} operational`,
    isTrouble: mark === 'down' || mark === 'degraded',
  };
}

export interface OverallWords {
  /** A sentence without its full stop, and without the moment that it ends with, if there is one. */
  headline: string;
  /** The moment at the end of the headline, in epoch milliseconds. */
  momentMs: number | null;
  /** How long the state has lasted, to be shown after the headline. */
  lasting: string | null;
  /** Further information, in complete sentences. */
  remark: string | null;
}

/**
 * Returns the overall state as one sentence, with its start if it is the state of a single component. The remark
 * mentions an open incident while all components are up, and components without data.
 */
export function overallWords(page: PublicPageDto): OverallWords {
  const silent = page.components.filter(({ status }) => status === 'unknown');
  const isPartlySilent = silent.length > 0 && page.status !== 'unknown';
  const remarks: string[] = [];
  const unsettled = page.status === 'operational' ? openOf(page) : undefined;
  if (unsettled) remarks.push(`${unsettled.title}.`);
  if (isPartlySilent) remarks.push(`We have no current data for ${counted(silent, page.components.length)}.`);
  return { momentMs: null, lasting: null, ...headline(page, isPartlySilent), remark: remarks.join(' ') || null };
}

/** Returns the headline as plain text, without a full stop. */
export function headlineText({ headline, momentMs }: OverallWords, clock: Clock): string {
  return momentMs === null ? headline : `${headline} ${clock.at(momentMs)}`;
}

/**
 * Returns an open incident with an impact: that of a flapping component remains open for a while after it is up again.
 */
function openOf({ incidents }: PublicPageDto): PublicIncidentDto | undefined {
  return incidents.find(({ status, impact }) => status === 'open' && impact !== 'none');
}

type Headline = Pick<OverallWords, 'headline'> & Partial<OverallWords>;

function headline(page: PublicPageDto, isPartlySilent: boolean): Headline {
  const { status, components } = page;
  if (components.length === 0) return { headline: 'This page has no components yet' };
  switch (status) {
    case 'operational':
      if (openOf(page))
        return { headline: isPartlySilent ? 'No other problems are known' : 'All systems are up right now' };
      return { headline: isPartlySilent ? 'No problems are known' : 'All systems are operational' };
    case 'degraded':
      return told(page, 'degraded', 'has been slow or degraded', 'are slow or degraded');
    case 'partial_outage':
    case 'major_outage':
      return told(page, 'down', 'has been down', 'are down');
    case 'maintenance':
      return told(page, 'maintenance', 'has been under maintenance', 'are under maintenance');
    case 'unknown':
      return {
        headline: components.every((one) => one.status === 'paused') ? 'Checks are paused' : 'We have no current data',
      };
  }
}

function told(page: PublicPageDto, kind: MonitorStatus, one: string, many: string): Headline {
  const { components, incidents, computedAt } = page;
  const those = components.filter(({ status }) => status === kind);
  // No check has detected the problem: it follows from a manual incident.
  const written = incidents.find(({ status, impact }) => status === 'open' && impact === kind);
  if (those.length === 0) return { headline: written?.title ?? `Some systems ${many}` };
  const [only] = those;
  if (those.length !== 1 || !only) return { headline: `${counted(those, components.length)} ${many}` };
  const work = workOn(page, only);
  if (work) return { headline: `${only.name} is under maintenance until`, momentMs: Date.parse(work.endsAt) };
  const [nowMs, sinceMs] = [Date.parse(computedAt), Date.parse(only.since)];
  return { headline: `${only.name} ${one} since`, momentMs: sinceMs, lasting: duration(nowMs - sinceMs) };
}

function counted(some: readonly PublicComponentDto[], total: number): string {
  const [only] = some;
  if (some.length === 1 && only) return only.name;
  return some.length === total ? `All ${total} components` : `${some.length} of ${total} components`;
}

/** Returns the names of components by id. */
export function namesOf(components: readonly PublicComponentDto[]): ReadonlyMap<string, string> {
  return new Map(components.map(({ id, name }) => [id, name]));
}
