import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../../http/auth/principal.js';
import { type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type FormState } from '../form-state.js';
import { MONITORS_FIELD, pickedIds } from './picked-ids.js';

/** A monitor that can be chosen or was chosen. The name is null if the monitor does not exist. */
export interface NamedMonitor {
  id: string;
  name: string | null;
}

/** The result of a search. */
export interface MonitorHits {
  /** The text of the search, trimmed and cut to the maximum length. */
  q: string;
  /** The first matches by name. */
  monitors: (NamedMonitor & { status: MonitorStatus })[];
  /** Whether there are further matches. */
  more: boolean;
}

const MAX_HITS = 10;
/** The maximum length that the API accepts. */
const MAX_SEARCH = 200;

/** Finds monitors for people to choose from. A page shows only a few of them, however many exist. */
@Injectable()
export class MonitorSearch {
  constructor(private readonly monitors: MonitorsService) {}

  /** Returns the monitors whose name or target contains the text; null if the text is blank. */
  async hits(teamId: TeamId, typed: string): Promise<MonitorHits | null> {
    const q = typed.replaceAll('\0', '').trim().slice(0, MAX_SEARCH);
    if (q === '') return null;
    const { data, nextCursor } = await this.monitors.list(teamId, { q, sort: 'name', limit: MAX_HITS });
    const monitors = data.map((one) => ({ id: one.id, name: one.name, status: one.status }));
    return { q, monitors, more: nextCursor !== null };
  }

  /** Returns the monitors that an editor shows: those in its form, and the result of its search. */
  async picks(teamId: TeamId, form: FormState): Promise<{ picked: NamedMonitor[]; hits: MonitorHits | null }> {
    const [picked, hits] = await Promise.all([
      this.named(teamId, pickedIds(form.text(MONITORS_FIELD))),
      this.hits(teamId, form.text('q')),
    ]);
    return { picked, hits };
  }

  /** Returns the team's monitors with these ids, in the same order, without duplicates. */
  async named(teamId: TeamId, ids: readonly string[]): Promise<NamedMonitor[]> {
    const found = await this.monitors.resolve(teamId, ids);
    return [...new Set(ids)].map((id) => ({ id, name: found.get(id)?.name ?? null }));
  }
}
