/** The names of authors by their ids: of people and of notification channels. */
export type People = ReadonlyMap<string, { name: string }>;

/** Returns the ids of the people among authors (see `authorOf`), without duplicates. */
export function peopleAmong(authors: readonly (string | null)[]): string[] {
  return idsAmong('user', authors);
}

/** Returns the ids of the notification channels through whose messages or providers incidents were acknowledged. */
export function channelsAmong(authors: readonly (string | null)[]): string[] {
  return [...new Set([...idsAmong('channel', authors), ...idsAmong('provider', authors)])];
}

/** Returns the name of an author for display. */
export function authorWords(author: string, people: People): string {
  const [kind, id = ''] = author.split(':');
  if (kind === 'user') return people.get(id)?.name ?? 'a former user';
  if (kind === 'channel' || kind === 'provider') return `channel ${people.get(id)?.name ?? '(deleted)'}`;
  if (kind === 'owners') return 'an owner, by email';
  return kind === 'api-key' ? 'an API key' : 'Daywatch';
}

function idsAmong(kind: string, authors: readonly (string | null)[]): string[] {
  const ids = authors.flatMap((author) => {
    const [own, id] = (author ?? '').split(':');
    return own === kind && id ? [id] : [];
  });
  return [...new Set(ids)];
}
