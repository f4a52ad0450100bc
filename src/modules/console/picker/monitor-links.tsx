import { type NamedMonitor } from './monitor-search.service.js';

/** Monitors by their names, each a way to its page; `none` where there are none. */
export function MonitorLinks({ monitors, none }: { monitors: readonly NamedMonitor[]; none: string }) {
  if (monitors.length === 0) return <>{none}</>;
  return (
    <>
      {monitors.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <a href={`/monitors/${id}`} dir="auto">
            {name ?? 'a monitor that is gone'}
          </a>
        </span>
      ))}
    </>
  );
}
