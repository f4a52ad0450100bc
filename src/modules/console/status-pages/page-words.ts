export const BADGES = [
  { file: 'status.svg', word: 'state' },
  { file: 'uptime.svg', word: 'uptime' },
  { file: 'response-time.svg', word: 'response time' },
] as const;

/** Returns the Markdown of a badge that links to its page. */
export function badgeMarkdown(label: string, imageUrl: string, pageUrl: string): string {
  return `[![${label.replace(/[\\[\]]/g, '\\$&').replace(/\s+/g, ' ')}](${imageUrl})](${pageUrl})`;
}
