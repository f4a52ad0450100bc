import { alerts, type Interruption } from './alerts.js';
import { handOvers } from './handovers.js';
import { kills, stops, takeovers } from './interruptions.js';
import { type Killed, reports } from './reports.js';
import { rolling } from './rolling.js';

/**
 * Interrupts a running service repeatedly, and reports the effect on its callers and its checks: `stops [rounds]`,
 * `takeovers [rounds]`, `kills [rounds]`, `alerts [rounds] [service|database|suspended] [incidents/s]`,
 * `reports [rounds] [service|database]`, or of many
 * processes: `handovers [rounds]`, `rolling [rounds] [requests/s]`.
 */
const CLIENTS = 4;
const WRITERS = 8;
const REQUESTS_PER_SECOND = 200;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const [kind = '', rounds = '20', what = 'service', perSecond = '50'] = process.argv.slice(2);

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const summary = (name: string, values: readonly number[]): void =>
  say(`${name}: median ${median(values).toFixed(2)}, maximum ${Math.max(...values).toFixed(2)}`);

if (kind === 'stops') {
  const outcome = await stops(Number(rounds), CLIENTS, say);
  const seconds = outcome.map((one) => one.seconds);
  summary('seconds', seconds);
  summary('unknown seconds', outcome.map((one) => one.unknownSeconds)); // prettier-ignore
  const reset = outcome.reduce((sum, one) => sum + one.reset, 0);
  say(`connections reset: ${reset}`);
  process.exitCode = Math.max(...seconds) > 5 || reset > 0 ? 1 : 0;
} else if (kind === 'takeovers') {
  const outcome = await takeovers(Number(rounds), say);
  const seconds = outcome.map((one) => one.seconds);
  summary('seconds', seconds);
  process.exitCode = Math.max(...seconds) > 6 ? 1 : 0;
} else if (kind === 'kills') {
  const answers = await kills(Number(rounds), WRITERS, say);
  process.exitCode = Object.keys(answers).some((answer) => answer.startsWith('500')) ? 1 : 0;
} else if (kind === 'alerts') {
  const report = await alerts(what as Interruption, Number(rounds), Number(perSecond), say);
  say(JSON.stringify(report, null, 2));
  process.exitCode = report.lost + report.doubled + report.unfounded > 0 ? 1 : 0;
} else if (kind === 'reports') {
  const report = await reports(Number(rounds), what as Killed, say);
  say(JSON.stringify(report, null, 2));
  process.exitCode = report.lost + report.doubled > 0 ? 1 : 0;
} else if (kind === 'handovers') {
  const outcome = await handOvers(Number(rounds), say);
  for (const role of ['dispatcher', 'recorder']) {
    const own = outcome.filter(({ member }) => member.startsWith(role));
    if (own.length > 0) summary(`seconds until a shard of a ${role} is taken over`, own.flatMap(({ seconds }) => seconds)); // prettier-ignore
  }
  process.exitCode = Math.max(...outcome.flatMap(({ seconds }) => seconds)) > 6 ? 1 : 0;
} else if (kind === 'rolling') {
  const report = await rolling(Number(rounds), Number(what) || REQUESTS_PER_SECOND, say);
  say(JSON.stringify(report, null, 2));
  process.exitCode = Object.keys(report.failed).length > 0 ? 1 : 0;
} else {
  process.stderr.write(
    'usage: npm run interruptions -- <stops|takeovers|kills|alerts|reports|handovers|rolling> [rounds]\n',
  );
  process.exitCode = 64;
}
