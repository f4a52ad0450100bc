import { type NamedMonitor } from './monitor-search.service.js';

/** The names of monitors as links to their pages; `none` replaces an empty list. */
export function MonitorLinks({ monitors, none }: { monitors: readonly NamedMonitor[]; none: string }) {
  if (monitors.length === 0) return <>{none}</>;
  return (
    <>
      {monitors.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <a href={`/monitors/${id}`} dir="auto">
            {name ?? 'a deleted monitor'}
          </a>
        </span>
      ))}
    </>
  );
}
