import { Contract } from '../support/openapi.js';
import { type TestApp } from '../support/app.js';
import { BULK, MONITORS, noteSelected } from './bulk.js';
import { rootSecret } from './credentials.js';
import { Dice } from './dice.js';
import { ApiDocument } from './document.js';
import { drawRequest, type Source } from './draw.js';
import { asCurl, type FuzzAnswer, type FuzzRequest } from './exchange.js';
import { type Fault, judge, OUR_HEADERS } from './judge.js';
import { learn } from './learn.js';
import { TEAM_NAMES, type TeamName } from './marks.js';
import { notePublished } from './published.js';
import { tryRaw } from './raw-requests.js';
import { readRequest } from './reading.js';
import { Reconciler } from './reconcile.js';
import { idempotencyKeyOf, learnRepetition, REPETITION_KIND } from './repetitions.js';
import { keyOf, Report } from './report.js';
import { makeRootKeys } from './root-keys.js';
import { shrink } from './shrink.js';
import { storedSecrets, VictimRows } from './stored.js';
import { type Setting } from './verdict.js';
import { Wire } from './wire.js';
import { atOnce, World } from './world.js';

export interface FuzzOptions {
  seed: number;
  count: number;
  /** The number of concurrent requests. */
  concurrency: number;
  targetOrigin: string;
  /** Operations that need not succeed. */
  rare?: readonly string[];
  /** Called occasionally with the number of requests so far. */
  progress?: (done: number) => void;
}

/** The teams that act in each turn. While one team acts alone, nothing of the other may change. */
const TURNS: readonly (readonly TeamName[])[] = [['ours'], ['theirs'], TEAM_NAMES];
const TURN_LENGTH = 400;
/** The number of raw requests after each turn. */
const RAW_REQUESTS = 4;
/** The first number for requests that are not part of the drawn sequence. */
const APART = 1e9;
/** Response headers that a finding shows. */
const TELLING: ReadonlySet<string> = new Set([...OUR_HEADERS, 'content-type', 'x-request-id']);

/**
 * Sends `count` requests, drawn from the service's OpenAPI document and from earlier responses, and judges every
 * response. Sends up to three times as many more while some operation has never succeeded, because it may need
 * resources that do not exist yet.
 *
 * Request n is drawn once the responses up to n − `concurrency` have been judged in their order. A run therefore
 * depends only on the seed and the concurrency, except for ids and times that the service generates, and for races
 * between concurrent requests.
 */
export async function fuzz(app: TestApp, options: FuzzOptions): Promise<Report> {
  const run = new FuzzRun(app, options);
  try {
    return await run.run();
  } finally {
    run.close();
  }
}

class FuzzRun {
  private readonly report = new Report();
  private readonly world: World;
  private readonly document: ApiDocument;
  private readonly contract: Contract;
  private readonly wire: Wire;
  private readonly source: Source;
  private extra = APART;

  constructor(
    private readonly app: TestApp,
    private readonly options: FuzzOptions,
  ) {
    this.world = new World(options.concurrency);
    this.document = new ApiDocument(app.document);
    this.contract = new Contract(app.document);
    this.wire = new Wire(app.origin, options.concurrency);
    const { seed, targetOrigin } = options;
    this.source = { seed, targetOrigin, document: this.document, world: this.world };
  }

  async run(): Promise<Report> {
    const { progress } = this.options;
    await makeRootKeys(this.app, this.world);
    const reconciler = new Reconciler(this.world, this.document, (request) => this.exchangeApart(request));
    for (let first = 0, turn = 0; first < this.until; first += TURN_LENGTH, turn += 1) {
      const actors = TURNS[turn % TURNS.length]!;
      const victims = TEAM_NAMES.filter((team) => !actors.includes(team));
      const rows = await Promise.all(victims.map((team) => VictimRows.of(this.app, team)));
      await this.turn(first, Math.min(this.until, first + TURN_LENGTH), actors);
      for (const one of rows) this.note(await one.changes(), 'rows of a team that did nothing');
      this.note(await reconciler.reconcile(), 'the model at the end of a turn');
      await this.rawRequests(first);
      progress?.(Math.min(this.until, first + TURN_LENGTH));
    }
    this.note(await storedSecrets(this.app), 'the database at the end');
    this.note(await pollution(this.app), 'the process at the end');
    return this.report;
  }

  close(): void {
    this.wire.close();
  }

  /** The planned number of requests. */
  private get until(): number {
    const { count, rare = [] } = this.options;
    return this.report.neverSucceeded().every((one) => rare.includes(one)) ? count : 4 * count;
  }

  /** Sends the requests from `first` to below `end` concurrently, and judges their responses in order. */
  private async turn(first: number, end: number, actors: readonly TeamName[]): Promise<void> {
    const underWay: Promise<() => Promise<void>>[] = [];
    for (let number = first; number < end; number += 1) {
      if (underWay.length === this.options.concurrency) await (await underWay.shift()!)();
      underWay.push(this.start(drawRequest(this.source, number, actors), number));
    }
    for (const one of underWay) await (await one)();
  }

  /** Sends a request. Returns a function that judges the response. */
  private async start(request: FuzzRequest, number: number): Promise<() => Promise<void>> {
    this.announce(request, number);
    const from = Date.now();
    const answer = await this.send(request);
    const to = Date.now();
    return async () => {
      const setting = this.settingOf(request, number, { from, to });
      const operation = setting.reading.operation?.name ?? '(no operation)';
      this.report.count(operation, answer instanceof Error ? 0 : answer.status);
      for (const fault of this.judge(setting, answer)) await this.found(fault, setting, answer);
    };
  }

  /** Sends requests that client libraries do not send, and waits for them, because the service ignores some of them. */
  private async rawRequests(first: number): Promise<void> {
    const dice = new Dice(this.options.seed, APART + first);
    const keys = rootSecret(this.world.secrets.values(), 'ours');
    const tries = Array.from({ length: RAW_REQUESTS }, () => tryRaw(this.app.origin, dice, keys));
    for (const found of await Promise.all(tries)) {
      const finding = found && this.report.add({ rule: 'raw', detail: found.detail }, '(raw)', first);
      if (finding) finding.example = found.example;
    }
  }

  /** Records what a request may write, before it is sent. */
  private announce(request: FuzzRequest, number: number): void {
    const reading = readRequest(this.document, this.world, request);
    const { operation, credentials, places, body } = reading;
    if (!operation || operation.method === 'GET' || credentials.is !== 'known') return;
    const { item } = credentials.secret;
    const [place] = places;
    const itself = operation.template.includes('/self') ? item.id : null;
    const id = place?.address && 'id' in place.address ? place.address.id : itself;
    const own = operation.template === BULK ? MONITORS : operation.template;
    const kind = place?.kind ?? (itself === null ? own : item.kind);
    if (body.is === 'refused') return;
    notePublished(this.world, number, reading);
    noteSelected(this.world, reading);
    this.world.begin(number, kind, item.team, id);
    const key = idempotencyKeyOf(reading);
    if (typeof key === 'string') this.world.begin(number, REPETITION_KIND, item.team, key);
  }

  private settingOf(request: FuzzRequest, number: number, span = atOnce()): Setting {
    const { document, contract, world } = this;
    return { document, contract, world, number, span, reading: readRequest(document, world, request) };
  }

  private judge(setting: Setting, answer: FuzzAnswer | Error): Fault[] {
    if (answer instanceof Error) return [{ rule: 'no answer', detail: answer.message }];
    const faults = [...judge(setting, answer), ...learn(setting, answer)];
    learnRepetition(setting, answer);
    return faults;
  }

  private async found(fault: Fault, { reading: { operation, request }, number }: Setting, answer: FuzzAnswer | Error) {
    const name = operation?.name ?? '(no operation)';
    const finding = this.report.add(fault, name, number);
    if (!finding) return;
    const key = keyOf(fault, name);
    let shown = answer;
    const smallest = await shrink(request, async (candidate) => {
      const number = (this.extra += 2 * this.options.concurrency);
      this.announce(candidate, number);
      const another = await this.send(candidate);
      const setting = this.settingOf(candidate, number);
      const same = this.judge(setting, another).some(
        (one) => keyOf(one, setting.reading.operation?.name ?? '(no operation)') === key,
      );
      if (same) shown = another;
      return same;
    });
    finding.example = `${asCurl(this.app.origin, smallest)}\n${describe(shown)}`;
  }

  private async exchangeApart(request: FuzzRequest): Promise<FuzzAnswer> {
    const number = (this.extra += 2 * this.options.concurrency);
    const answer = await this.wire.send(request);
    const setting = this.settingOf(request, number);
    for (const fault of this.judge(setting, answer)) await this.found(fault, setting, answer);
    return answer;
  }

  private note(faults: readonly Fault[], where: string): void {
    for (const fault of faults) this.report.add(fault, where, null);
  }

  private send(request: FuzzRequest): Promise<FuzzAnswer | Error> {
    return this.wire
      .send(request)
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  }
}

function describe(answer: FuzzAnswer | Error): string {
  if (answer instanceof Error) return answer.message;
  const headers = Object.entries(answer.headers).filter(([name]) => TELLING.has(name));
  return `→ ${answer.status} ${JSON.stringify(Object.fromEntries(headers))}\n${answer.text.slice(0, 1_000)}`;
}

/** Returns properties that were added to the prototypes of the language in the process of the service. */
async function pollution(app: TestApp): Promise<Fault[]> {
  const names = await app.backstage.prototypeProperties();
  return names.map((name) => ({ rule: 'prototype', detail: `has a new property "${name}"` }));
}
