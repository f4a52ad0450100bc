import { duration } from '../../../../html/time-text.js';
import { type ExclusionDto } from '../../../exclusions/dto/exclusion.dto.js';
import { type MonitorDto } from '../../../monitors/dto/monitor.dto.js';
import { authorWords } from '../../author-words.js';
import { Empty, Table } from '../../html/table.js';
import { RelativeTime, Time } from '../../html/time.js';
import { pathOf } from '../shown-monitor.js';
import { type ShownExclusions } from './shown-exclusions.service.js';

interface ExclusionsProps {
  monitor: MonitorDto;
  shown: ShownExclusions;
  mayWrite: boolean;
  nowMs: number;
}

export const exclusionsPathOf = (monitor: { id: string }): string => `${pathOf(monitor)}/exclusions`;

/** The latest exclusions of a monitor on its page; nothing for people who see none and may not create one. */
export function ExclusionsSection({ monitor, shown, mayWrite, nowMs }: ExclusionsProps) {
  const path = exclusionsPathOf(monitor);
  const isEmpty = shown.exclusions.length === 0;
  if (isEmpty && !mayWrite) return null;
  return (
    <section aria-labelledby="exclusions">
      <h2 id="exclusions">Exclusions</h2>
      {isEmpty ? (
        <Empty>
          No time of the last 90 days is excluded. Exclude past time that should not count, such as your own load test.
        </Empty>
      ) : (
        <ExclusionTable monitor={monitor} shown={shown} mayWrite={mayWrite} nowMs={nowMs} />
      )}
      <p class="buttons">
        {mayWrite && <a href={`${path}/new`}>Exclude time</a>}
        <a href={path}>All exclusions</a>
      </p>
    </section>
  );
}

/** What time is excluded, why, and by whom. */
export function ExclusionTable({ monitor, shown: { exclusions, people }, mayWrite, nowMs }: ExclusionsProps) {
  return (
    <Table
      caption="Exclusions"
      columns={['Excluded time', 'Duration', 'Reason', 'Excluded by', ...(mayWrite ? ['Actions'] : [])]}
      rows={exclusions.map((exclusion) => ({
        key: exclusion.id,
        cells: [
          <ExcludedTime exclusion={exclusion} />,
          duration(Date.parse(exclusion.to) - Date.parse(exclusion.from)),
          <span class="lines" dir="auto">
            {exclusion.reason}
          </span>,
          <>
            <span dir="auto">{authorWords(exclusion.createdBy, people)}</span>,{' '}
            <RelativeTime at={exclusion.createdAt} nowMs={nowMs} />
          </>,
          ...(mayWrite
            ? [
                <a href={`${exclusionsPathOf(monitor)}/${exclusion.id}/delete`}>
                  Delete
                  <span class="hidden">
                    {' the exclusion of '}
                    <ExcludedTime exclusion={exclusion} />
                  </span>
                </a>,
              ]
            : []),
        ],
      }))}
    />
  );
}

export function ExcludedTime({ exclusion: { from, to } }: { exclusion: ExclusionDto }) {
  return (
    <span>
      <Time at={from} /> – <Time at={to} />
    </span>
  );
}
