import { differences } from './compare.js';
import { rootSecret } from './credentials.js';
import { type ApiDocument } from './document.js';
import { type FuzzAnswer, type FuzzRequest } from './exchange.js';
import { isFoundByChecks } from './incidents.js';
import { type Fault } from './judge.js';
import { TEAM_NAMES, type TeamName } from './marks.js';
import { atOnce, type Item, type Json, type World } from './world.js';

/** Created by the service, whatever callers do. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(['/v1/events', '/v1/notifications']);
/** The number of recently deleted items that stay in the model, to be requested again. */
const KEPT = 60;
/** Small, so that lists have more than one page. */
const PAGE_SIZE = 19;

/**
 * Compares the model with the lists of the service while no request is pending: every accepted write must be stored,
 * and every refused one must have no effect. Then updates the parts of the model that were unknown.
 */
export class Reconciler {
  private readonly kinds: readonly string[];

  constructor(
    readonly world: World,
    readonly document: ApiDocument,
    private readonly exchange: (request: FuzzRequest) => Promise<FuzzAnswer>,
  ) {
    this.kinds = document.operations
      .filter(({ method, template }) => method === 'GET' && document.isKind(template) && !template.includes('{'))
      .map(({ template }) => template);
  }

  async reconcile(): Promise<Fault[]> {
    const faults: Fault[] = [];
    for (const kind of this.kinds) {
      for (const team of TEAM_NAMES) faults.push(...(await this.compare(kind, team)));
      this.world.forgetOld(kind, KEPT);
    }
    return faults;
  }

  private async compare(kind: string, team: TeamName): Promise<Fault[]> {
    const rows = await this.list(kind, team);
    const listed = new Map(rows.map((body) => [String(body.id), body]));
    const faults = rows.length === listed.size ? [] : ['a list contains an item twice'];
    const { world } = this;
    for (const item of [...world.of(kind, team), ...world.of(kind, team, 'unsure')]) {
      const body = listed.get(item.id);
      listed.delete(item.id);
      if (!body) {
        if (world.lifeOf(item, atOnce()) === 'live') faults.push(`${item.id} is missing`);
        item.life = 'gone';
        continue;
      }
      faults.push(...this.changesOf(item, body));
      Object.assign(item, { body, life: 'live', muddled: false });
    }
    for (const [id, body] of listed) {
      if (!OF_THE_SERVICE.has(kind) && !isFoundByChecks(world, kind, team, body)) {
        faults.push(`${id} is unexpected: ${JSON.stringify(body).slice(0, 300)}`);
      }
      world.add(kind, team, body);
    }
    return faults.map((detail) => ({ rule: 'model', detail: `${kind}: ${detail}` }));
  }

  private async list(kind: string, team: TeamName): Promise<Json[]> {
    const rows: Json[] = [];
    const headers = [['Authorization', `Bearer ${rootSecret(this.world.secrets.values(), team)}`]] as const;
    for (let query = `?limit=${PAGE_SIZE}`; query !== '';) {
      const { body } = await this.exchange({ method: 'GET', target: kind + query, headers, body: null });
      const page = body as { data: Json[]; nextCursor: string | null };
      rows.push(...page.data);
      query = page.nextCursor === null ? '' : `?limit=${PAGE_SIZE}&cursor=${encodeURIComponent(page.nextCursor)}`;
    }
    return rows;
  }

  private changesOf(item: Item, body: Json): string[] {
    if (item.muddled || item.life !== 'live') return [];
    const changed = differences(this, item, body);
    if (changed.length === 0) return [];
    const both = [item.body, body].map((one) => `\n  ${JSON.stringify(one)}`);
    return [`${changed.join(', ')} of ${item.id} changed since the last response:${both.join('')}`];
  }
}
