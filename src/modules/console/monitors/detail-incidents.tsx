import { duration } from '../../../html/time-text.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { incidentMark } from '../incidents/incident-words.js';
import { Table } from '../html/table.js';
import { RelativeTime } from '../html/time.js';
import { State } from '../html/state.js';

/** The newest incidents of a monitor. */
export function IncidentTable({ incidents, nowMs }: { incidents: readonly IncidentDto[]; nowMs: number }) {
  return (
    <Table
      caption="Incidents"
      columns={['Incident', 'State', 'Began', 'Lasted']}
      rows={incidents.map((one) => ({
        key: one.id,
        cells: [
          <a href={`/incidents/${one.id}`} dir="auto">
            {one.title}
          </a>,
          <State {...incidentMark(one)} />,
          <RelativeTime at={one.startedAt} nowMs={nowMs} />,
          duration(Date.parse(one.resolvedAt ?? new Date(nowMs).toISOString()) - Date.parse(one.startedAt)),
        ],
      }))}
    />
  );
}
