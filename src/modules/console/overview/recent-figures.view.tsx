import { type ComponentChildren } from 'preact';
import { duration } from '../../../html/time-text.js';
import { percent } from '../../../html/uptime-words.js';
import { type OverviewFiguresDto, type RecentFiguresDto } from '../../overview/dto/overview.dto.js';
import { listPath } from '../monitors/list-query.js';
import { msText } from '../monitors/ms-text.js';

/** The uptime of the past 24 hours. */
export function DayFigure({ uptimePercent, downSeconds }: OverviewFiguresDto) {
  if (uptimePercent === null) return null;
  return (
    <p class="day-figure">
      <strong>{percent(uptimePercent)}</strong>
      <span>uptime in the last 24 hours{downSeconds > 0 && `, ${duration(downSeconds * 1_000)} down`}</span>
    </p>
  );
}

/** The figures of the week. `recent` is undefined while they are being computed, null if they are not computed. */
export function RecentFigures({ recent }: { recent: RecentFiguresDto | null | undefined }) {
  if (recent === null) return null;
  if (recent === undefined) return <p class="skeleton">Computing the figures for the last 7 days…</p>;
  const { tags, slowest, flakiest } = recent;
  return (
    <>
      <Ranking
        id="by-tag"
        title="Uptime by tag, 7 days"
        rows={tags.map(({ tag, uptimePercent }) => ({
          key: tag,
          href: listPath({ tag: [tag] }),
          label: tag,
          figure: uptimePercent === null ? 'No data yet' : percent(uptimePercent),
        }))}
      />
      <Ranking
        id="flakiest"
        title="Least reliable, 7 days"
        rows={flakiest.map(({ monitorId, name, incidentCount, downSeconds }) => ({
          key: monitorId,
          href: `/monitors/${monitorId}`,
          label: name,
          figure: `${incidentCount === 1 ? '1 incident' : `${incidentCount} incidents`}, ${duration(downSeconds * 1_000)} down`,
        }))}
      />
      <Ranking
        id="slowest"
        title="Slowest, 7 days"
        rows={slowest.map(({ monitorId, name, responseTimeMs }) => ({
          key: monitorId,
          href: `/monitors/${monitorId}`,
          label: name,
          figure: msText(responseTimeMs),
        }))}
      />
    </>
  );
}

interface RankingProps {
  id: string;
  title: string;
  rows: readonly { key: string; href: string; label: string; figure: ComponentChildren }[];
}

function Ranking({ id, title, rows }: RankingProps) {
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="entries ranking">
        {rows.map(({ key, href, label, figure }) => (
          <li key={key}>
            <a class="target" href={href} dir="auto">
              {label}
            </a>
            <span class="quiet figure">{figure}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
