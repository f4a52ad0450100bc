import { benchApi } from './api.bench.js';

/** One bench a name: each prints a table and writes `build/bench/<name>.json`. */
const BENCHES: Record<string, (rounds: number) => Promise<void>> = { api: benchApi };

const [name = '', rounds = '3'] = process.argv.slice(2);
const bench = BENCHES[name];
if (!bench) {
  process.stderr.write(`usage: npm run bench -- <${Object.keys(BENCHES).join('|')}> [rounds]\n`);
  process.exit(64);
}
await bench(Number(rounds));
