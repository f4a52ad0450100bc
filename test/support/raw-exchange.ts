import { connect } from 'node:net';

/** Sends raw bytes over a socket. Returns the response that arrives until the service closes the connection. */
export async function rawExchange(origin: string, request: string | Buffer): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  // The socket is not ended: Node aborts a request whose client has closed its half of the connection.
  socket.write(request);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text };
}
