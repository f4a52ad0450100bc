import { type PublicationContent } from '../../../domain/publication.js';

/** Returns what a publication is called. `components` are the names that the page shows, the first of which may name it. */
export function publicationTitle({ title, state }: PublicationContent, components: readonly string[]): string {
  const verb = state === 'recovered' || state === 'resolved' ? 'was' : 'is';
  return title ?? `${components[0] ?? 'A component'} ${verb} down`;
}
