import { type Outline, type Tone } from '../outline.js';

/** How a chat writes emphasis and links. */
export interface Markup {
  /** Makes a text appear literally and mention nobody. Works on each character alone, so that a text can be cut first. */
  escape: (text: string) => string;
  /** Emphasises escaped text. */
  bold: (escaped: string) => string;
  /** Links escaped text. The URL is one of `Message.links`, which contain nothing that ends a link in any markup. */
  link: (escaped: string, url: string) => string;
  bullet: string;
}

/** A colour that most chats accept, `#rrggbb`. */
export const COLOURS: Record<Tone, string> = {
  bad: '#d92d20',
  warning: '#f79009',
  good: '#12b76a',
  neutral: '#667085',
};

/** An invisible character that separates `@` from what would be a name to mention. */
const SEPARATOR = '\u200b';

/** Keeps a chat that has no way of its own from reading mentions in a text. */
export function withoutMentions(text: string): string {
  return text.replaceAll('@', `@${SEPARATOR}`);
}

/** Writes an outline as lines of markup, each complete in itself: title, sentences, rows, monitors and links. */
export function markedLines(outline: Outline, markup: Markup, parts: { title: boolean; links: boolean }): string[] {
  const { escape, bold, link, bullet } = markup;
  const { title, sentences, rows, monitors, links } = outline;
  const target = links[0];
  const heading = bold(escape(title));
  return [
    ...(parts.title ? [target ? link(heading, target.url) : heading] : []),
    ...sentences.map(escape),
    ...rows.map(({ label, value }) => `${bold(escape(label))}: ${escape(value)}`),
    ...monitors.map((line) => `${bullet}${escape(line)}`),
    ...(parts.links && links.length > 0 ? [links.map(({ label, url }) => link(escape(label), url)).join(' · ')] : []),
  ];
}

/** The markup of chats that read a subset of HTML. */
export const HTML: Markup = {
  escape: (text) => withoutMentions(escapeHtml(text)),
  bold: (escaped) => `<b>${escaped}</b>`,
  link: (escaped, url) => `<a href="${escapeHtml(url)}">${escaped}</a>`,
  bullet: '• ',
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export function escapeHtml(text: string): string {
  return text.replace(/["&<>]/g, (character) => ENTITIES[character]!);
}

/**
 * Returns the markup of a chat that reads Markdown. `escaped` matches the characters before which it honours a backslash;
 * the others that have a meaning, which `separated` matches, lose it by an invisible character after them.
 */
export function markdown(escaped: RegExp, separated: RegExp): Markup {
  return {
    escape: (text) => withoutMentions(text.replace(escaped, '\\$&').replace(separated, `$&${SEPARATOR}`)),
    bold: (text) => `**${text}**`,
    link: (text, url) => `[${text}](${url})`,
    bullet: '- ',
  };
}

/**
 * Writes lines as a block of code, for chats whose Markdown has no escapes, so that they appear literally. Each run of
 * backticks that would end the block is separated.
 */
export function codeBlock(lines: readonly string[]): string[] {
  return ['```', ...lines.map((line) => withoutMentions(line.replaceAll('``', `\`${SEPARATOR}\``))), '```'];
}
