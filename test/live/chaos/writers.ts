import { setTimeout as delay } from 'node:timers/promises';
import { type MonitorDto } from '../../../src/modules/monitors/dto/monitor.dto.js';
import { Dice } from '../../fuzz/dice.js';
import { type Api } from './api.js';
import { FAR, NEAR } from './fleet.js';

/** What a writer knows of its monitor: exactly what the API has acknowledged. */
interface Known {
  key: string;
  /** Null if it was deleted, or not created yet. */
  id: string | null;
  expected: Pick<MonitorDto, 'name' | 'intervalSeconds' | 'locations'> & { paused: boolean };
}

const PAUSE_MS = 400;
/** Not above any of the intervals. */
const TIMEOUT_MS = 2_000;
const LOCATIONS = [[NEAR], [FAR], [NEAR, FAR]];

/** Writers that create, change, pause, resume and delete monitors, and open and resolve incidents, until they end. */
export class Writers {
  private readonly monitors: Known[] = [];
  /** By id, whether they were resolved. */
  readonly incidents = new Map<string, { isResolved: boolean }>();
  /** Requests that were refused although they are correct. */
  readonly refused: string[] = [];
  acknowledged = 0;
  private isOver = false;
  private writing: Promise<void>[] = [];

  constructor(
    private readonly api: Api,
    private readonly seed: number,
    /** The URL of a target that is always up. */
    private readonly target: string,
  ) {}

  /** @param incidentsOn the monitor of the incidents */
  begin(writers: number, incidentsOn: string): void {
    for (let index = 0; index < writers; index += 1) {
      const known = { key: `written-${index}`, id: null, expected: this.definition(new Dice(this.seed, index)) };
      this.monitors.push(known);
      this.writing.push(this.write(known, new Dice(this.seed, 100 + index)));
    }
    this.writing.push(this.report(incidentsOn, new Dice(this.seed, 99)));
  }

  /** Resolves once each writer has ended with a request that was acknowledged. */
  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.writing);
  }

  /** Returns the acknowledged writes that the API does not show. */
  async lost(): Promise<string[]> {
    const lost: string[] = [];
    for (const { key, id, expected } of this.monitors) {
      const { status, body } = await this.api.acknowledged<MonitorDto>('GET', `/v1/monitors/key:${key}`);
      if (id === null) {
        if (status !== 404) lost.push(`the deletion of ${key}`);
        continue;
      }
      if (status !== 200 || body.id !== id) {
        lost.push(`the creation of ${key}: ${status}`);
        continue;
      }
      const { name, intervalSeconds, locations } = body;
      const shown = { name, intervalSeconds, locations, paused: body.status === 'paused' };
      if (JSON.stringify(shown) !== JSON.stringify(expected))
        lost.push(`a change of ${key}: ${JSON.stringify(shown)} instead of ${JSON.stringify(expected)}`);
    }
    return lost;
  }

  private async write(known: Known, dice: Dice): Promise<void> {
    while (!this.isOver) {
      await this.writeOnce(known, dice);
      await delay(PAUSE_MS + dice.below(2 * PAUSE_MS));
    }
  }

  private async writeOnce(known: Known, dice: Dice): Promise<void> {
    const path = `/v1/monitors/${known.id}`;
    if (known.id === null) {
      const expected = this.definition(dice);
      const definition = { ...expected, key: known.key, type: 'http', url: this.target, timeoutMs: TIMEOUT_MS };
      const made = await this.send<MonitorDto>('POST', '/v1/monitors', definition);
      if (made) Object.assign(known, { id: made.id, expected });
      return;
    }
    const { expected } = known;
    switch (dice.below(5)) {
      case 0:
        if (await this.send('POST', `${path}/pause`, {})) expected.paused = true;
        return;
      case 1:
        if (await this.send('POST', `${path}/resume`)) expected.paused = false;
        return;
      case 2:
        if (dice.chance(0.7)) return;
        // Not found: an attempt without a response has deleted it.
        if (await this.send('DELETE', path, undefined, [404])) known.id = null;
        return;
      default: {
        const { name, intervalSeconds, locations } = this.definition(dice);
        if (await this.send('PATCH', path, { name, intervalSeconds, locations }))
          Object.assign(expected, { name, intervalSeconds, locations });
      }
    }
  }

  /** Opens incidents and resolves them soon afterwards. */
  private async report(monitorId: string, dice: Dice): Promise<void> {
    while (!this.isOver) {
      const definition = { title: 'Payments fail', monitorIds: [monitorId], impact: 'down' };
      const incident = await this.send<{ id: string }>('POST', '/v1/incidents', definition);
      if (incident) {
        this.incidents.set(incident.id, { isResolved: false });
        await delay(dice.below(1_000));
        const update = { phase: 'resolved', text: 'They work again.' };
        if (await this.send('POST', `/v1/incidents/${incident.id}/updates`, update))
          this.incidents.set(incident.id, { isResolved: true });
      }
      await delay(dice.below(2_000));
    }
  }

  /** Returns the body of the acknowledged response, or an empty one; null if the request was refused. */
  private async send<T extends object>(
    method: string,
    path: string,
    body?: object,
    alsoCorrect: readonly number[] = [],
  ): Promise<T | null> {
    const answer = await this.api.acknowledged<T | null>(method, path, body);
    if (answer.status < 300 || alsoCorrect.includes(answer.status)) {
      this.acknowledged += 1;
      return answer.body ?? ({} as T);
    }
    this.refused.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return null;
  }

  private definition(dice: Dice): Known['expected'] {
    return {
      name: `Written ${dice.below(1_000_000)}`,
      intervalSeconds: dice.pick([2, 3, 5]),
      locations: dice.pick(LOCATIONS),
      paused: false,
    };
  }
}
