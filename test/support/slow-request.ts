import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A POST request whose body is sent later than its head. */
export class SlowRequest {
  private constructor(
    private readonly socket: Socket,
    private readonly body: string,
  ) {}

  /** Sends only the head. */
  static async begin(
    origin: string,
    path: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<SlowRequest> {
    const { hostname, port, host } = new URL(origin);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const all = { ...headers, host, 'content-length': String(body.length), connection: 'close' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    return new SlowRequest(socket, body);
  }

  /** Sends the body. Returns the status of the response. */
  async finish(): Promise<number> {
    this.socket.write(this.body);
    const chunks: Buffer[] = [];
    for await (const chunk of this.socket) chunks.push(chunk as Buffer);
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(Buffer.concat(chunks).toString())?.[1]);
  }
}
