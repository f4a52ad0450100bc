import { connect } from 'node:net';

/** Sends bytes that no client would over a bare socket; what came back until the service closed it. */
export async function rawExchange(origin: string, request: string | Buffer): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  // Not ended: Node gives a request up whose client has closed its half.
  socket.write(request);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text };
}
