import { setImmediate } from 'node:timers/promises';
import { NO_TIMINGS, type Timings } from '../../domain/check-result.js';
import { type FinishedCheck } from '../checker/finished-checks.service.js';
import { familyHead, labelText } from './exposition.js';

/** The labels of one monitor, as of a revision of its definition. */
export interface SeriesName {
  id: string;
  revision: number;
  key: string | null;
  name: string;
  teamId: string;
  team: string;
  type: string;
}

/** The latest check at one location. Its values are null if it does not determine the state of the target. */
interface Latest {
  location: string;
  /** The location, as label text. */
  label: string;
  checkedAt: number;
  success: 0 | 1 | null;
  durationMs: number | null;
  /** 0 if an HTTP exchange returned none; null if the check makes no HTTP exchange. */
  statusCode: number | null;
  timings: Timings;
}

const NOTHING = { success: null, durationMs: null, statusCode: null, timings: NO_TIMINGS };

interface Entry {
  revision: number;
  /** Null until the names are known. */
  labels: string | null;
  /** The team, by the name that the labels contain; null until the names are known. */
  team: { id: string; name: string } | null;
  latest: Latest[];
}

interface Family {
  name: string;
  help: string;
  samples: readonly Sample[];
}

interface Sample {
  /** Labels in addition to those of the monitor and its location, with a leading comma. */
  labels: string;
  value: (latest: Latest) => number | null;
}

const single = (value: Sample['value']): Sample[] => [{ labels: '', value }];

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

/** The phases of an HTTP exchange, by their names in blackbox_exporter. */
const HTTP_PHASES = {
  resolve: 'dnsMs',
  connect: 'connectMs',
  tls: 'tlsMs',
  processing: 'firstByteMs',
  transfer: 'transferMs',
} as const satisfies Record<string, keyof Timings>;

/** The names and units are those of blackbox_exporter. */
const FAMILIES: readonly Family[] = [
  {
    name: 'probe_success',
    help: '1 if the latest check passed, otherwise 0.',
    samples: single(({ success }) => success),
  },
  {
    name: 'probe_duration_seconds',
    help: 'Duration of the latest check, including a failed one.',
    samples: single(({ durationMs }) => seconds(durationMs)),
  },
  {
    name: 'probe_http_status_code',
    help: 'Status code of the latest response, 0 if there was none.',
    samples: single(({ statusCode }) => statusCode),
  },
  {
    name: 'probe_dns_lookup_time_seconds',
    help: 'Duration of the DNS lookup of the latest check.',
    samples: single(({ timings }) => seconds(timings.dnsMs)),
  },
  {
    name: 'probe_http_duration_seconds',
    help: 'Duration of each phase that the latest check reached.',
    samples: Object.entries(HTTP_PHASES).map(([phase, member]) => ({
      labels: `,${labelText({ phase })}`,
      value: ({ statusCode, timings }) => (statusCode === null ? null : seconds(timings[member])),
    })),
  },
];

/** Monitors per chunk of text: about 100 KiB, written in about a millisecond. */
const MONITORS_AT_ONCE = 500;

/** Metrics of the latest check of each monitor that this process checks on schedule. */
export class MonitorSeries {
  private readonly entries = new Map<string, Entry>();
  private readonly unnamed = new Set<string>();

  /**
   * `schedules` returns whether this process schedules a monitor at a location. Others are not exposed, and `prune`
   * removes them.
   */
  constructor(private readonly schedules: (monitorId: string, location: string) => boolean) {}

  /** Records a batch. Never throws, because every result passes through it. */
  take(checks: readonly FinishedCheck[]): void {
    for (const check of checks) {
      try {
        this.note(check);
      } catch {
        // A worker of another version, or a compromised one, sent it. The recorder rejects it.
      }
    }
  }

  /** Returns the monitors whose names are unknown or may have changed, each only once. */
  takeUnnamed(): string[] {
    const ids = [...this.unnamed];
    this.unnamed.clear();
    return ids;
  }

  /** Takes back monitors whose names could not be read, so that `takeUnnamed` returns them again. */
  leaveUnnamed(ids: readonly string[]): void {
    for (const id of ids) this.unnamed.add(id);
  }

  /** Stores the names that were found. */
  name(found: readonly SeriesName[]): void {
    for (const { id, revision, key, name, teamId, team, type } of found) {
      const entry = this.entries.get(id);
      if (!entry) continue;
      entry.labels = labelText({ monitor: id, key, name, team, type });
      entry.team = { id: teamId, name: team };
      entry.revision = Math.max(entry.revision, revision);
    }
  }

  /** Makes `takeUnnamed` return the monitors of teams that were renamed. `names` has the names of all teams, by id. */
  noteTeams(names: ReadonlyMap<string, string>): void {
    for (const [id, { team }] of this.entries) {
      if (team && names.get(team.id) !== team.name) this.unnamed.add(id);
    }
  }

  /** Removes monitors that are not on schedule here, and the locations from which they are not checked any more. */
  prune(): void {
    for (const [id, entry] of this.entries) {
      entry.latest = entry.latest.filter(({ location }) => this.schedules(id, location));
      if (entry.latest.length > 0) continue;
      this.entries.delete(id);
      this.unnamed.delete(id);
    }
  }

  /** Returns all families in the text format, in chunks between which other work can run. */
  async *text(): AsyncGenerator<string> {
    const entries = [...this.entries];
    for (const { name, help, samples } of FAMILIES) {
      let text = familyHead(name, 'gauge', help);
      for (let from = 0; from < entries.length; from += MONITORS_AT_ONCE) {
        for (const [id, { labels, latest }] of entries.slice(from, from + MONITORS_AT_ONCE)) {
          if (labels === null) continue;
          for (const one of latest) {
            if (!this.schedules(id, one.location)) continue;
            for (const sample of samples) {
              const now = sample.value(one);
              if (now !== null) text += `${name}{${labels},${one.label}${sample.labels}} ${now}\n`;
            }
          }
        }
        yield text;
        text = '';
        await setImmediate();
      }
      if (text !== '') yield text;
    }
  }

  private note({ monitorId, revision, location, type, checkedAt, status, durationMs, ...check }: FinishedCheck): void {
    const { statusCode, timings } = check.outcome;
    const entry = this.entryOf(monitorId, revision);
    let latest = entry.latest.find((one) => one.location === location);
    if (!latest) {
      latest = { location, label: labelText({ location }), checkedAt, ...NOTHING };
      entry.latest.push(latest);
    }
    if (latest.checkedAt > checkedAt) return;
    const isKnown = status !== 'unknown';
    latest.checkedAt = checkedAt;
    latest.success = isKnown ? (status === 'down' ? 0 : 1) : null;
    latest.durationMs = isKnown ? (durationMs ?? null) : null;
    latest.statusCode = isKnown ? (statusCode ?? (type === 'http' ? 0 : null)) : null;
    latest.timings = isKnown ? timings : NO_TIMINGS;
  }

  private entryOf(monitorId: string, revision: number): Entry {
    let entry = this.entries.get(monitorId);
    if (!entry) {
      entry = { revision, labels: null, team: null, latest: [] };
      this.entries.set(monitorId, entry);
      this.unnamed.add(monitorId);
    } else if (entry.revision < revision) {
      entry.revision = revision;
      this.unnamed.add(monitorId);
    }
    return entry;
  }
}
