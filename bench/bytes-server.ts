import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

/**
 * Serves GET requests for the given paths from memory, with the same bytes as another server: the minimum cost of these
 * responses in Node. Prints its address on one line, and exits when its standard input ends.
 */
const [origin = '', key = '', ...paths] = process.argv.slice(2);
const answers = new Map<string, { headers: [string, string][]; body: Buffer }>();
for (const path of paths) {
  const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${key}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const own = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);
  const headers = [...answer.headers].filter(([name]) => !own.has(name));
  answers.set(path, { headers, body: Buffer.from(await answer.arrayBuffer()) });
}
const server = createServer((request, response) => {
  const { headers, body } = answers.get(request.url!)!;
  for (const [name, value] of headers) response.setHeader(name, value);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
