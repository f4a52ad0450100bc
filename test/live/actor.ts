import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Dice } from '../fuzz/dice.js';
import { type Failure, type Mode, type Stretch } from './timetable.js';

/** The true state of a target in a period (epoch milliseconds). */
export interface Played {
  mode: Mode;
  from: number;
  to: number;
}

const SLOW_MS = 800;
const LOSS = 0.2;

/** Many targets on one server of 127.0.0.1, by path. Each plays its timetable in real time and records its states. */
export class Stage {
  private readonly modes: { mode: Mode; failure: Failure }[] = [];
  readonly played: Played[][] = [];
  private readonly server: Server;
  private port = 0;

  constructor(private readonly dice: Dice) {
    this.server = createServer((request, response) => this.answer(Number(request.url?.slice(1)), response));
  }

  async open(): Promise<void> {
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Stops listening, which has the same effect on the service as a network failure. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  url(target: number): string {
    return `http://127.0.0.1:${this.port}/${target}`;
  }

  /** Plays a timetable to its end. The target is up from then on. */
  async play(target: number, stretches: readonly Stretch[]): Promise<void> {
    const played = (this.played[target] ??= []);
    for (const { mode, failure, forMs } of [...stretches, { mode: 'up', failure: 'error', forMs: 0 } as const]) {
      this.modes[target] = { mode, failure };
      const now = Date.now();
      const last = played.at(-1);
      if (last) last.to = now;
      played.push({ mode, from: now, to: Infinity });
      await delay(forMs);
    }
  }

  private answer(target: number, response: ServerResponse): void {
    const { mode, failure } = this.modes[target] ?? { mode: 'up', failure: 'error' };
    const fails = mode === 'down' || (mode === 'lossy' && this.dice.chance(LOSS));
    if (!fails) {
      if (mode === 'slow') setTimeout(() => response.end('late'), SLOW_MS);
      else response.end('ok');
    } else if (failure === 'error') response.writeHead(503).end();
    else if (failure === 'reset') response.socket?.resetAndDestroy();
    // Silence: the check ends by its timeout.
  }
}
