export type TeamName = 'ours' | 'theirs';
export const TEAM_NAMES: readonly TeamName[] = ['ours', 'theirs'];

/** Who may see a marked text: `shown`: everybody, on a status page; `kept`: only its team; `secret`: nobody. */
export type Secrecy = 'shown' | 'kept' | 'secret';

const MARK = /zq([ot])([nks])[0-9a-z]+qz/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** The form in which the service stores secrets, which nobody may see either. */
const SEALED = /sealed:v\d+:\S{0,12}/g;
const API_KEY = /dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}/g;
/** POSIX regular expressions, for the database, of texts that must not be stored anywhere. */
export const NEVER_STORED = ['zq[ot]s[0-9a-z]+qz', 'dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}'];

/** Markup in drawn texts, to detect missing escaping. */
export const MARKUP = '<zqx onload=1>';

/** Kinds of items whose ids status pages show. */
const SHOWN_KINDS: ReadonlySet<string> = new Set(['/v1/incidents']);
const TEAMS: Readonly<Record<string, TeamName>> = { o: 'ours', t: 'theirs' };
const SECRECIES: Readonly<Record<string, Secrecy>> = { n: 'shown', k: 'kept', s: 'secret' };

function around(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 150), at + part.length + 50);
}

/** The owners of ids and marked texts, to detect where they must not appear. */
export class Marks {
  readonly secrets = new Set<string>();
  private readonly published = new Set<string>();
  private readonly told: Record<TeamName, Set<string>> = { ours: new Set(), theirs: new Set() };
  private readonly owners = new Map<string, { team: TeamName; kind: string }>();
  private count = 0;

  /** Returns a new, unique text that identifies its team and secrecy. */
  next(team: TeamName, secrecy: Secrecy): string {
    this.count += 1;
    const letter = Object.entries(SECRECIES).find(([, one]) => one === secrecy)![0];
    return `zq${team[0]}${letter}${this.count.toString(36)}qz`;
  }

  own(id: string, team: TeamName, kind: string): void {
    this.owners.set(id.toLowerCase(), { team, kind });
  }

  /** Allows everybody to see the marks and ids in a text from now on, except secrets. */
  publish(text: string): void {
    for (const [mark, , letter] of text.matchAll(MARK)) if (letter !== 's') this.published.add(mark);
    for (const [id] of text.matchAll(UUID)) this.published.add(id.toLowerCase());
  }

  /** Allows a team to see the ids in a text that it has sent, because later responses repeat them. */
  tell(team: TeamName, text: string): void {
    for (const [id] of text.matchAll(UUID)) this.told[team].add(id.toLowerCase());
  }

  /**
   * Returns everything in a text that a viewer (`null`: the public) must not see, except what `sent` contains, which
   * the viewer already knows. Does not check API keys.
   */
  leaks(text: string, viewer: TeamName | null, sent: () => string): string[] {
    const ids = [...text.matchAll(UUID)].flatMap(([id]) => {
      const owner = this.owners.get(id.toLowerCase());
      const isPublic = owner && (SHOWN_KINDS.has(owner.kind) || this.published.has(id.toLowerCase()));
      const isShown = viewer === null ? isPublic : this.told[viewer].has(id.toLowerCase());
      return owner && owner.team !== viewer && !isShown
        ? [{ what: id, why: `the id of ${owner.kind} of ${owner.team}` }]
        : [];
    });
    const marks = [...text.matchAll(MARK)].flatMap(([what, team = '', letter = '']) => {
      const secrecy = SECRECIES[letter]!;
      if (secrecy === 'secret') return [{ what, why: 'a secret' }];
      if (TEAMS[team] === viewer || (viewer === null && (secrecy === 'shown' || this.published.has(what)))) return [];
      return [{ what, why: `a text of ${TEAMS[team]}` }];
    });
    const sealed = [...text.matchAll(SEALED)].map(([what]) => ({ what, why: 'a secret' }));
    const found = [...ids, ...marks, ...sealed];
    if (found.length === 0) return [];
    const known = sent().toLowerCase();
    return found
      .filter(({ what, why }) => why === 'a secret' || !known.includes(what.toLowerCase()))
      .map(({ what, why }) => `${what}: ${why}\n  { … ${around(text, what)} …`);
  }

  /** Returns the API keys in a text. */
  static apiKeysIn(text: string): string[] {
    return text.match(API_KEY) ?? [];
  }
}
