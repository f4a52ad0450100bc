import { type ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type Mark } from '../../../html/marks.js';
import { StateMark } from '../../../html/state-mark.js';
import { statusMark, statusWord } from '../../../html/status-words.js';
import { awaitsReports } from '../../../probes/index.js';
import { type LatestCheck } from '../../checks/latest-checks.service.js';
import { iconPath, tabTitle } from '../html/layout.js';
import { Ago } from '../html/time.js';
import { msText } from './ms-text.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { targetOf, typeWord } from './shown-monitor.js';
import { confirmingWords, StateSentence } from './state-sentence.js';

/** The properties of a monitor that open pages update. */
export interface LiveMonitor {
  monitor: MonitorDto;
  /** Null if there was no check recently. */
  latest: LatestCheck | null;
  nowMs: number;
}

function State({ monitor, nowMs }: LiveMonitor) {
  const { status, statusSince } = monitor;
  const doubt = confirmingWords(monitor);
  return (
    <>
      <span class="state">
        <StateMark mark={statusMark(status)} />
        <strong>{status === 'pending' && doubt !== null ? 'First checks' : statusWord(status)}</strong>
      </span>{' '}
      <span class="quiet">
        {doubt ?? (
          <>
            for <Ago at={statusSince} nowMs={nowMs} />
          </>
        )}
      </span>
    </>
  );
}

function Last({ monitor, latest, nowMs }: LiveMonitor) {
  // Jobs may report less often than checks are looked up.
  const at = latest?.checkedAt ?? monitor.lastCheckAt;
  if (at === null) return <span class="quiet">None recently</span>;
  const nothing = awaitsReports(monitor.type) ? 'No duration' : 'No response';
  return (
    <>
      {latest && (
        <>
          <span class="figure">{latest.responseTimeMs === null ? nothing : msText(latest.responseTimeMs)}</span>{' '}
        </>
      )}
      <span class="quiet">
        <Ago at={at} nowMs={nowMs} /> ago
      </span>
    </>
  );
}

/** What a monitor checks or, while it is down, why it is down: in lists that is what people need. */
function About({ monitor }: LiveMonitor) {
  const { status, lastError, type } = monitor;
  if (status === 'down' && lastError !== null) {
    return (
      <span class="reason" dir="auto">
        {lastError.message}
      </span>
    );
  }
  return (
    <>
      {typeWord(type)} · <span dir="auto">{targetOf(monitor)}</span>
    </>
  );
}

/** The parts by the names that mark them in pages. */
const PARTS = { state: State, last: Last, about: About, sentence: StateSentence } as const;
type PartName = keyof typeof PARTS;

/** A part of a page that is replaced when its monitor changes. */
export function LivePart({ part, ...live }: LiveMonitor & { part: PartName }): ComponentChildren {
  const Part = PARTS[part];
  return (
    <span data-live={part}>
      <Part {...live} />
    </span>
  );
}

/** The update that open pages receive when a monitor has changed: its current parts, and the contents of the tab. */
export interface LiveUpdate {
  id: string;
  mark: Mark;
  /** The title of the page of this monitor. */
  title: string;
  icon: string;
  /** HTML by the name of the part. */
  parts: Record<PartName, string>;
}

export function liveUpdate(live: LiveMonitor): LiveUpdate {
  const mark = statusMark(live.monitor.status);
  const parts = Object.entries(PARTS).map(([name, Part]) => [name, renderToString(<Part {...live} />)]);
  return {
    id: live.monitor.id,
    mark,
    icon: iconPath(mark),
    title: tabTitle(live.monitor.name, mark),
    parts: Object.fromEntries(parts) as LiveUpdate['parts'],
  };
}
