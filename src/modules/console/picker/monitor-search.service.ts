import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../../http/auth/principal.js';
import { type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type FormState } from '../form-state.js';
import { MONITORS_FIELD, pickedIds } from './picked-ids.js';

/** A monitor to choose, or one that was chosen; without a name where it is gone. */
export interface NamedMonitor {
  id: string;
  name: string | null;
}

/** What a search found. */
export interface MonitorHits {
  /** As it was typed. */
  q: string;
  /** By name, the first of them. */
  monitors: (NamedMonitor & { status: MonitorStatus })[];
  /** Whether there are more. */
  more: boolean;
}

const MAX_HITS = 10;
/** As the API takes it. */
const MAX_SEARCH = 200;

/** Finds monitors for people to choose from: however many there are, a page shows a few. */
@Injectable()
export class MonitorSearch {
  constructor(private readonly monitors: MonitorsService) {}

  /** Those whose name or target contains the text; null where none was typed. */
  async hits(teamId: TeamId, typed: string): Promise<MonitorHits | null> {
    const q = typed.replaceAll('\0', '').trim().slice(0, MAX_SEARCH);
    if (q === '') return null;
    const { data, nextCursor } = await this.monitors.list(teamId, { q, sort: 'name', limit: MAX_HITS });
    const monitors = data.map((one) => ({ id: one.id, name: one.name, status: one.status }));
    return { q, monitors, more: nextCursor !== null };
  }

  /** What an editor shows of monitors: those that its form carries, and what was looked for in it. */
  async picks(teamId: TeamId, form: FormState): Promise<{ picked: NamedMonitor[]; hits: MonitorHits | null }> {
    const [picked, hits] = await Promise.all([
      this.named(teamId, pickedIds(form.text(MONITORS_FIELD))),
      this.hits(teamId, form.text('q')),
    ]);
    return { picked, hits };
  }

  /** These monitors of the team, in the same order, each once. */
  async named(teamId: TeamId, ids: readonly string[]): Promise<NamedMonitor[]> {
    const found = await this.monitors.resolve(teamId, ids);
    return [...new Set(ids)].map((id) => ({ id, name: found.get(id)?.name ?? null }));
  }
}
