import { counted } from '../../../html/counted.js';
import { type Mark } from '../../../html/marks.js';
import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';

export const BADGES = [
  { file: 'status.svg', word: 'state' },
  { file: 'uptime.svg', word: 'uptime' },
  { file: 'response-time.svg', word: 'response time' },
] as const;

/** Returns the Markdown of a badge that links to its page. */
export function badgeMarkdown(label: string, imageUrl: string, pageUrl: string): string {
  return `[![${label.replace(/[\\[\]]/g, '\\$&').replace(/\s+/g, ' ')}](${imageUrl})](${pageUrl})`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns the HTML of a badge that links to its page. */
export function badgeHtml(label: string, imageUrl: string, pageUrl: string): string {
  const text = label.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!).replace(/\s+/g, ' ');
  return `<a href="${pageUrl}"><img src="${imageUrl}" alt="${text}"></a>`;
}

/** Returns who can open a page, as a mark and a word. */
export function visibilityOf({ published, accessType }: Pick<StatusPageDto, 'published' | 'accessType'>): {
  mark: Mark;
  word: string;
} {
  if (!published) return { mark: 'paused', word: 'Draft' };
  return { mark: 'up', word: accessType === 'password' ? 'Password-protected' : 'Public' };
}

/** Returns the number of components and of their groups. */
export function componentsWords({ components }: Pick<StatusPageDto, 'components'>): string {
  const groups = new Set(components.flatMap(({ group }) => group ?? []));
  const count = counted(components.length, 'component');
  return groups.size === 0 ? count : `${count} in ${counted(groups.size, 'group')}`;
}
