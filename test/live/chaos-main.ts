import { parseArgs } from 'node:util';
import { groupBy } from '../../src/domain/group-by.js';
import { chaos } from './chaos/chaos.js';
import { type Variant, VARIANTS } from './chaos/variants.js';
import { type Verdict } from './chaos/verdict.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    monitors: { type: 'string', default: '24' },
    /** A broken variant of the service, which the run must find. */
    variant: { type: 'string' },
    variants: { type: 'boolean', default: false },
  },
});
const DEFAULT_MINUTES = 30;
const VARIANT_MINUTES = 2.5;
/** A variant may never be back. */
const VARIANT_BACK_WITHIN_MS = 60_000;
/** Of each kind. */
const SHOWN = 5;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const shared = { seed: Number(values.seed), monitors: Number(values.monitors), say };

function report(verdict: Verdict): void {
  for (const [name, value] of verdict.figures) say(`${name}: ${value}`);
  for (const some of groupBy(verdict.findings, ({ kind }) => kind).values())
    for (const { kind, text } of some.slice(0, SHOWN)) say(`${kind}: ${text}`);
  say([...verdict.kinds].map(([kind, count]) => `${kind} ${count}`).join(', '));
  say(`${verdict.findings.length} findings`);
}

/** Runs a broken variant. Returns whether it was found. */
async function find(variant: Variant): Promise<boolean> {
  const { name, found, plan, minutes = VARIANT_MINUTES } = variant;
  say(`variant ${name}`);
  const length = Number(values.minutes ?? minutes);
  const options = { ...shared, plan, variant, minutes: length, backWithinMs: VARIANT_BACK_WITHIN_MS };
  const verdict = await chaos(options);
  report(verdict);
  const isFound = found.some((kind) => verdict.kinds.has(kind));
  say(`variant ${name}: ${isFound ? 'found' : 'NOT FOUND'}`);
  return isFound;
}

if (values.variants || values.variant !== undefined) {
  const chosen = VARIANTS.filter(({ name }) => values.variants || name === values.variant);
  if (chosen.length === 0) throw new Error(`The variants are ${VARIANTS.map(({ name }) => name).join(', ')}.`);
  const missed: string[] = [];
  for (const one of chosen) if (!(await find(one))) missed.push(one.name);
  say(
    `${chosen.length - missed.length} of ${chosen.length} variants found${missed.map((one) => `\nmissed: ${one}`).join('')}`,
  );
  process.exitCode = missed.length > 0 ? 1 : 0;
} else {
  const verdict = await chaos({ ...shared, minutes: Number(values.minutes ?? DEFAULT_MINUTES) });
  report(verdict);
  process.exitCode = verdict.findings.length > 0 ? 1 : 0;
}
