import { type ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { duration } from '../../../html/time-text.js';
import { statusMark, statusWord } from '../../../html/status-words.js';
import { isMeasured, measuredOver, uptimeFigure } from '../../../html/uptime-words.js';
import { DrillTag } from '../incidents/drill-tag.js';
import { incidentMark, lengthWords } from '../incidents/incident-words.js';
import { State } from '../html/state.js';
import { Empty, Table } from '../html/table.js';
import { RelativeTime } from '../html/time.js';
import { CheckTable } from './checks.view.js';
import { type PeriodFigure } from './figures.js';
import { msText } from './ms-text.js';
import { type Evidence } from './detail-evidence.service.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';

interface EvidenceProps {
  monitor: MonitorDto;
  evidence: Evidence;
}

function Figures({ evidence: { figures } }: EvidenceProps) {
  return (
    <dl class="figures">
      {figures.map((figure) => (
        <div key={figure.label}>
          <dt>{figure.label}</dt>
          <dd>{uptimeFigure(figure)}</dd>
          {isMeasured(figure) && <dd>{basisOf(figure)}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Returns the downtime behind a figure, and what it was measured over if that is less than its period. */
function basisOf(figure: PeriodFigure): string {
  const { downSeconds, periodSeconds } = figure;
  const down = downSeconds === 0 ? 'No downtime' : `${duration(downSeconds * 1_000)} down`;
  return [down, measuredOver(figure, periodSeconds)].filter((one) => one !== null).join(' · ');
}

function Checks({ monitor, evidence: { checks } }: EvidenceProps) {
  if (checks.length === 0) return <Empty>No checks yet.</Empty>;
  return <CheckTable monitor={monitor} checks={checks} />;
}

function Incidents({ evidence: { incidents, nowMs } }: EvidenceProps) {
  if (incidents.length === 0) {
    return (
      <Empty>
        No incidents yet. One opens automatically when an outage is confirmed, and resolves when the monitor recovers.
      </Empty>
    );
  }
  return (
    <Table
      caption="Incidents"
      columns={['Incident', 'State', 'Started', 'Duration']}
      rows={incidents.map((one) => ({
        key: one.id,
        cells: [
          <>
            <a href={`/incidents/${one.id}`} dir="auto">
              {one.title}
            </a>
            {one.kind === 'drill' && <DrillTag />}
          </>,
          <State {...incidentMark(one)} />,
          <RelativeTime at={one.startedAt} nowMs={nowMs} />,
          lengthWords(one, nowMs),
        ],
      }))}
    />
  );
}

function Locations({ evidence: { locations, nowMs } }: EvidenceProps) {
  if (locations.length === 0) return null;
  return (
    <Table
      caption="Locations"
      columns={['Location', 'State', 'Last check', 'Mean response time since yesterday']}
      rows={locations.map(({ key, name, status, lastCheckAt, responseMs }) => ({
        key,
        cells: [
          <span dir="auto">{name === key ? key : `${name} (${key})`}</span>,
          <State mark={statusMark(status)} word={statusWord(status)} />,
          lastCheckAt ? <RelativeTime at={lastCheckAt.toISOString()} nowMs={nowMs} /> : 'Never',
          responseMs === null ? 'None' : msText(responseMs),
        ],
      }))}
    />
  );
}

/** The parts by the names that mark them in the page of the monitor. */
const PARTS = { figures: Figures, locations: Locations, checks: Checks, incidents: Incidents } as const;
type PartName = keyof typeof PARTS;

/** A part of the page that is replaced when there is new evidence. While the reader uses a part, its update waits. */
export function EvidencePart({ part, ...props }: EvidenceProps & { part: PartName }): ComponentChildren {
  const Part = PARTS[part];
  return (
    <div data-live={part}>
      <Part {...props} />
    </div>
  );
}

/** The update that the open page of a monitor receives in addition to a `LiveUpdate`. */
export interface EvidenceUpdate {
  id: string;
  /** HTML by the name of the part. */
  parts: Record<PartName, string>;
}

export function evidenceUpdate(props: EvidenceProps): EvidenceUpdate {
  const parts = Object.entries(PARTS).map(([name, Part]) => [name, renderToString(<Part {...props} />)]);
  return { id: props.monitor.id, parts: Object.fromEntries(parts) as EvidenceUpdate['parts'] };
}
