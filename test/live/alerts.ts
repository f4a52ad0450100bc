import { createServer, type Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { eventually } from '../support/eventually.js';
import { OwnCluster } from '../support/own-cluster.js';
import { ServiceProcess } from '../support/service.js';

/** What is interrupted while incidents are opened and resolved. */
export type Interruption = 'service' | 'database' | 'suspended';

/** How the messages that arrived differ from the incidents whose opening and end the API acknowledged. */
export interface AlertsReport {
  incidents: number;
  messages: number;
  /** Messages that arrived more than once with the same id, which receivers can drop. */
  repeated: number;
  /** Triggers or resolves that never arrived, although nothing replaced them. */
  lost: number;
  /** Messages of the same kind about the same incident with different ids. */
  doubled: number;
  /** Messages about an incident that does not exist, and resolves of one that is open. */
  unfounded: number;
}

interface Message {
  id: string;
  channel: string;
  kind: string;
  incidentId: string;
}

interface Incident {
  isResolved: boolean;
}

const CHANNELS = ['first', 'second'];
const WRITERS = 16;
const SETTLED_WITHIN_MS = 600_000;
/** Longer than a claim on a channel lasts, so that the other process takes over. */
const SUSPENDED_MS = 65_000;

/** A service with two webhooks, and writers that open and resolve incidents. */
class AlertsScene {
  readonly services: ServiceProcess[] = [];
  readonly messages: Message[] = [];
  readonly incidents = new Map<string, Incident>();
  private isOver = false;
  private writers: Promise<void>[] = [];

  private constructor(
    readonly cluster: OwnCluster,
    private readonly dataDir: string,
    private readonly receiver: Server,
  ) {}

  static async open(processes: number): Promise<AlertsScene> {
    const receiver = createServer();
    const cluster = await OwnCluster.make();
    const scene = new AlertsScene(cluster, await mkdtemp(join(tmpdir(), 'daywatch-alerts-')), receiver);
    receiver.on('request', (request, response) => {
      void json(request).then((body) => {
        scene.receive(request.url!.slice(1), body as { type: string; data: { alertKey: string } }, request.headers);
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    try {
      for (let index = 0; index < processes; index += 1) await scene.start(index);
      await scene.subscribe();
      return scene;
    } catch (error) {
      await scene.close();
      throw error;
    }
  }

  async start(index: number): Promise<void> {
    this.services[index] = await ServiceProcess.start(this.dataDir, {
      DATABASE_URL: this.cluster.url,
      SECRET_KEY: 'k'.repeat(40),
      DATABASE_POOL: '8',
      ALLOW_PRIVATE_CHANNELS: '127.0.0.0/8',
    });
  }

  /** Opens `perSecond` incidents a second, and resolves each of them soon afterwards, until `settle`. */
  write(perSecond: number): void {
    const write = async (): Promise<void> => {
      while (!this.isOver) {
        const from = performance.now();
        const id = await this.acknowledged<{ id: string }>('/v1/incidents', {
          title: 'Payments fail',
          monitorIds: ['key:payments'],
          impact: 'down',
        });
        this.incidents.set(id.id, { isResolved: false });
        await delay(Math.random() * 500);
        await this.acknowledged(`/v1/incidents/${id.id}/updates`, { phase: 'resolved', text: 'They work again.' });
        this.incidents.set(id.id, { isResolved: true });
        await delay(Math.max(0, (WRITERS * 1_000) / perSecond - (performance.now() - from)));
      }
    };
    this.writers = Array.from({ length: WRITERS }, write);
  }

  /** Ends the writers, waits until nothing is left to send, and compares messages and incidents. */
  async settle(): Promise<AlertsReport> {
    this.isOver = true;
    await Promise.all(this.writers);
    await eventually(async () => {
      const [left] = await this.cluster.query<{ pending: number; unplanned: number }>(
        `SELECT (SELECT count(*)::int FROM notifications WHERE next_attempt_at IS NOT NULL) AS pending,
                (SELECT count(*)::int FROM unplanned_events) AS unplanned`,
      );
      if (left!.pending + left!.unplanned > 0) throw new Error(JSON.stringify(left));
    }, SETTLED_WITHIN_MS);
    const replaced = await this.cluster.query<{ incident_id: string; url: string }>(
      `SELECT n.incident_id, c.key AS url FROM notifications n JOIN notification_channels c ON c.id = n.channel_id
       WHERE n.kind = 'resolve' AND n.replaces_trigger`,
    );
    return compare(this.incidents, this.messages, new Set(replaced.map((one) => `${one.incident_id} ${one.url}`)));
  }

  async close(): Promise<void> {
    this.isOver = true;
    await Promise.allSettled(this.writers);
    for (const service of this.services) await service.end('SIGKILL');
    this.receiver.closeAllConnections();
    await new Promise((resolve) => this.receiver.close(resolve));
    await this.cluster.remove();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private receive(
    channel: string,
    { type, data }: { type: string; data: { alertKey: string } },
    headers: NodeJS.Dict<string | string[]>,
  ): void {
    const kind = type.split('.')[1]!;
    this.messages.push({ id: String(headers['webhook-id']), channel, kind, incidentId: data.alertKey.split('/')[0]! });
  }

  /** Sends a request until it is acknowledged, always with the same idempotency key. */
  private async acknowledged<T>(path: string, body: object): Promise<T> {
    const headers = { 'idempotency-key': uuidv7() };
    for (;;) {
      const service = this.services[Math.floor(Math.random() * this.services.length)]!;
      const answer = await service.call<T>('POST', path, body, headers).catch(() => null);
      if (answer?.status === 201) return answer.body;
      // 409: the process that received the first request was killed while it answered.
      if (answer && answer.status < 500 && answer.status !== 409)
        throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      await delay(100);
    }
  }

  private async subscribe(): Promise<void> {
    const { port } = this.receiver.address() as AddressInfo;
    const put = async (path: string, body: object): Promise<void> => {
      const answer = await this.services[0]!.call('PUT', path, body);
      if (answer.status !== 201) throw new Error(`${path} was rejected: ${JSON.stringify(answer.body)}`);
    };
    const monitor = { name: 'Payments', type: 'http', url: 'https://example.com/', paused: true };
    await put('/v1/monitors/key:payments', monitor);
    for (const name of CHANNELS) {
      const settings = { url: `http://127.0.0.1:${port}/${name}` };
      await put(`/v1/notification-channels/key:${name}`, { name, type: 'webhook', settings });
    }
    const steps = [{ afterSeconds: 0, channelIds: CHANNELS.map((name) => `key:${name}`) }];
    const policy = { name: 'Everything', match: { all: true }, on: ['manual_incident'], steps };
    await put('/v1/notification-policies/key:everything', policy);
  }
}

/** Compares what arrived with what had to arrive. `replaced` contains the resolves that stand for their trigger, too. */
function compare(
  incidents: ReadonlyMap<string, Incident>,
  messages: readonly Message[],
  replaced: ReadonlySet<string>,
): AlertsReport {
  const ids = new Map<string, Set<string>>();
  const unfounded = messages.filter(({ kind, incidentId }) => {
    const incident = incidents.get(incidentId);
    return !incident || (kind === 'resolve' && !incident.isResolved);
  });
  for (const { id, channel, kind, incidentId } of messages) {
    const key = `${incidentId} ${channel} ${kind}`;
    ids.set(key, (ids.get(key) ?? new Set()).add(id));
  }
  const expected = [...incidents].flatMap(([id, { isResolved }]) =>
    CHANNELS.flatMap((channel) => [
      ...(replaced.has(`${id} ${channel}`) ? [] : [`${id} ${channel} trigger`]),
      ...(isResolved ? [`${id} ${channel} resolve`] : []),
    ]),
  );
  const distinct = [...ids.values()].reduce((sum, { size }) => sum + size, 0);
  return {
    incidents: incidents.size,
    messages: messages.length,
    repeated: messages.length - distinct,
    lost: expected.filter((key) => !ids.has(key)).length,
    doubled: distinct - ids.size,
    unfounded: unfounded.length,
  };
}

/** Interrupts a service that sends alerts `rounds` times, at random moments. */
export async function alerts(
  what: Interruption,
  rounds: number,
  perSecond: number,
  say: (line: string) => void,
): Promise<AlertsReport> {
  const scene = await AlertsScene.open(what === 'suspended' ? 2 : 1);
  try {
    scene.write(perSecond);
    for (let round = 1; round <= rounds; round += 1) {
      await delay(Math.random() * 2_000);
      if (what === 'service') {
        await scene.services[0]!.end('SIGKILL');
        await scene.start(0);
      } else if (what === 'database') {
        await scene.cluster.kill();
        await delay(Math.random() * 1_000);
        await scene.cluster.start();
      } else {
        const suspended = scene.services[round % 2]!;
        suspended.signal('SIGSTOP');
        await delay(SUSPENDED_MS);
        suspended.signal('SIGCONT');
      }
      if (round % 10 === 0 || what === 'suspended') {
        say(`${what} ${round}: ${scene.incidents.size} incidents, ${scene.messages.length} messages`);
      }
    }
    return await scene.settle();
  } finally {
    await scene.close();
  }
}
