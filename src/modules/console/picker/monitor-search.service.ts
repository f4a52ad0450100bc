import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../../http/auth/principal.js';
import { type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { MonitorsService, type TagCount } from '../../monitors/monitors.service.js';
import { type FormState } from '../form-state.js';
import { MONITORS_FIELD, pickedIds } from './picked-ids.js';

/** A monitor that can be chosen or was chosen. The name is null if the monitor does not exist. */
export interface NamedMonitor {
  id: string;
  name: string | null;
}

/** The result of a search. */
export interface MonitorHits {
  /** The text of the search, trimmed and cut to the maximum length; empty for all monitors. */
  q: string;
  /** The first matches by name. */
  monitors: (NamedMonitor & { status: MonitorStatus })[];
  /** Whether there are further matches. */
  more: boolean;
}

/** What a picker shows: the chosen monitors, and those to choose from. */
export interface MonitorPicks {
  picked: NamedMonitor[];
  hits: MonitorHits;
}

const MAX_HITS = 20;
/** The maximum length that the API accepts. */
const MAX_SEARCH = 200;
/** The maximum number of monitors that a step adds; as many as a status page can show. */
const MAX_TAGGED = 200;

/** Finds monitors for people to choose from. A page shows only a few of them, however many exist. */
@Injectable()
export class MonitorSearch {
  constructor(private readonly monitors: MonitorsService) {}

  /** Returns the monitors whose name or target contains the words of the text; null if the text is blank. */
  async hits(teamId: TeamId, typed: string): Promise<MonitorHits | null> {
    return typed.trim() === '' ? null : this.offered(teamId, typed);
  }

  /** Returns the monitors that a picker offers: all those that match the text, or all if it is blank. */
  async offered(teamId: TeamId, typed: string): Promise<MonitorHits> {
    const q = typed.replaceAll('\0', '').trim().slice(0, MAX_SEARCH);
    const { data, nextCursor } = await this.monitors.list(teamId, { ...(q && { q }), sort: 'name', limit: MAX_HITS });
    const monitors = data.map(({ id, name, status }) => ({ id, name, status }));
    return { q, monitors, more: nextCursor !== null };
  }

  /** Returns the monitors that an editor shows: those in its form, and the result of its search. */
  async picks(teamId: TeamId, form: FormState): Promise<MonitorPicks> {
    const [picked, hits] = await Promise.all([
      this.named(teamId, pickedIds(form.text(MONITORS_FIELD))),
      this.offered(teamId, form.text('q')),
    ]);
    return { picked, hits };
  }

  /** Returns the team's monitors with these ids, in the same order, without duplicates. */
  async named(teamId: TeamId, ids: readonly string[]): Promise<NamedMonitor[]> {
    if (ids.length === 0) return [];
    const found = await this.monitors.resolve(teamId, ids);
    return [...new Set(ids)].map((id) => ({ id, name: found.get(id)?.name ?? null }));
  }

  /** Returns the team's tags with the number of monitors of each. */
  tags(teamId: TeamId): Promise<TagCount[]> {
    return this.monitors.tagCounts(teamId);
  }

  /** Returns the ids of the monitors with a tag, by name; at most 200. */
  async tagged(teamId: TeamId, tag: string): Promise<string[]> {
    if (tag === '') return [];
    const { data } = await this.monitors.list(teamId, { tag: [tag], sort: 'name', limit: MAX_TAGGED });
    return data.map(({ id }) => id);
  }
}
