export const BADGES = [
  { file: 'status.svg', word: 'state' },
  { file: 'uptime.svg', word: 'uptime' },
  { file: 'response-time.svg', word: 'response time' },
] as const;

/** An image that leads to the page, in Markdown. */
export function badgeMarkdown(label: string, imageUrl: string, pageUrl: string): string {
  return `[![${label.replace(/[\\[\]]/g, '\\$&').replace(/\s+/g, ' ')}](${imageUrl})](${pageUrl})`;
}
