import { type UserSummary } from '../users/users.service.js';

export type People = ReadonlyMap<string, UserSummary>;

/** Returns the ids of the people among authors (see `authorOf`), without duplicates. */
export function peopleAmong(authors: readonly (string | null)[]): string[] {
  return [...new Set(authors.flatMap((author) => /^user:(.+)$/.exec(author ?? '')?.[1] ?? []))];
}

/** Returns the name of an author for display. */
export function authorWords(author: string, people: People): string {
  const [kind, id = ''] = author.split(':');
  if (kind === 'user') return people.get(id)?.name ?? 'a former user';
  return kind === 'api-key' ? 'an API key' : 'Daywatch';
}
