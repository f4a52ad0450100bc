import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Dice } from '../../fuzz/dice.js';

/** A message that a receiver read, whatever it answered. */
export interface Message {
  at: number;
  /** The same whenever the message is repeated. */
  id: string;
  channel: string;
  alertKey: string;
  kind: string;
  /** Whether the sender got to know that it arrived. */
  isAcknowledged: boolean;
}

const REFUSED = 0.1;

/** A receiver of webhooks that sometimes refuses a message after it has read it, as receivers do. */
export class Receiver {
  readonly messages: Message[] = [];
  private readonly server = createServer();
  private readonly dice: Dice;

  private constructor(seed: number) {
    this.dice = new Dice(seed, 50);
    this.server.on('request', (request, response) => {
      void json(request).then((body) => {
        const isAcknowledged = !this.dice.chance(REFUSED);
        this.note(request.url!.slice(1), request.headers, body as Body, isAcknowledged);
        if (isAcknowledged) response.end();
        else response.writeHead(503, { 'retry-after': '1' }).end();
      });
    });
  }

  static async open(seed: number): Promise<Receiver> {
    const receiver = new Receiver(seed);
    await once(receiver.server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  url(channel: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${channel}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private note(channel: string, headers: IncomingHttpHeaders, { type, data }: Body, isAcknowledged: boolean): void {
    const id = String(headers['webhook-id']);
    const kind = type.split('.')[1]!;
    this.messages.push({ at: Date.now(), id, channel, alertKey: data.alertKey, kind, isAcknowledged });
  }
}

interface Body {
  type: string;
  data: { alertKey: string };
}
