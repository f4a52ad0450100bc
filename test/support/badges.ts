import { expect } from '@jest/globals';
import { type StatusPageDto } from '../../src/modules/status-pages/dto/status-page.dto.js';
import { type TestApp } from './app.js';
import { type Answer } from './client.js';

export const BADGES = ['status', 'uptime', 'response-time'] as const;

export interface BadgeElement {
  name: string;
  attributes: Record<string, string>;
}

const ELEMENTS = new Set(['svg', 'title', 'rect', 'path', 'g', 'text', 'circle']);
const ATTRIBUTES =
  /^(xmlns|width|height|viewBox|role|aria-label|aria-hidden|rx|x|y|d|cx|cy|r|class|fill|stroke|stroke-width|transform|font-family|font-size|text-rendering|textLength|lengthAdjust)$/;
const TAG = /<(\/?)([a-zA-Z]+)((?:\s+[a-zA-Z-]+="[^"<]*")*)\s*(\/?)>/y;
const TEXT = /[^<]+/y;
const REFERENCE = /&(?:amp|lt|gt|quot);/g;
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\p{Surrogate}]/u;

/**
 * Returns the elements of a badge in document order. Throws if the badge is not well-formed XML, or contains an
 * element, attribute, entity or URL that no badge needs.
 */
export function badgeElements(svg: string): BadgeElement[] {
  return parse(svg).elements;
}

/** Returns the texts of a badge, unescaped. */
export function drawnTexts(svg: string): { title: string; label: string; value: string } {
  const { texts } = parse(svg);
  const [title, label, value] = [texts.title, ...(texts.text ?? [])].flat();
  return { title: title ?? '', label: label ?? '', value: value ?? '' };
}

/** Returns the path of the badges of a page's component, by default the first one. */
export const badgesOf = ({ slug, components }: StatusPageDto, index = 0): string =>
  `/badges/${slug}/${components[index]!.id}`;

export function getBadge(app: TestApp, path: string, headers: Record<string, string> = {}): Promise<Answer<string>> {
  return app.api().call<string>('GET', path, { headers });
}

/** Returns the value that a badge shows; fails unless the response is 200. */
export async function badgeValue(app: TestApp, path: string): Promise<string> {
  const { status, body } = await getBadge(app, path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return drawnTexts(body).value;
}

function parse(svg: string) {
  if (NOT_XML.test(svg)) throw new Error('contains a character that XML does not allow');
  const elements: BadgeElement[] = [];
  const texts: Record<string, string[]> = {};
  const open: string[] = [];
  for (let at = 0; at < svg.length;) {
    TAG.lastIndex = TEXT.lastIndex = at;
    const tag = TAG.exec(svg);
    const text = tag ? null : TEXT.exec(svg);
    if (tag) {
      const [, closes, name = '', attributes = '', empty] = tag;
      if (closes && open.pop() !== name) throw new Error(`</${name}> closes no open element`);
      if (!closes) elements.push({ name, attributes: attributesOf(name, attributes) });
      if (!closes && !empty) open.push(name);
    } else if (text) {
      if (text[0].includes(']]>')) throw new Error('contains "]]>" in a text');
      (texts[open.at(-1) ?? ''] ??= []).push(decoded(text[0]));
    }
    at += (tag ?? text)?.[0].length ?? refuse(svg.slice(at, at + 40));
  }
  if (open.length > 0 || elements[0]?.name !== 'svg') refuse(svg.slice(-40));
  return { elements, texts };
}

function attributesOf(name: string, text: string): Record<string, string> {
  if (!ELEMENTS.has(name)) refuse(`<${name}>`);
  const pairs = [...text.matchAll(/([a-zA-Z-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decoded(value)]);
  for (const [key = '', value = ''] of pairs) {
    if (!ATTRIBUTES.test(key)) refuse(`${key}="${value}"`);
    if (key !== 'xmlns' && key !== 'aria-label' && /url\(|:/.test(value)) refuse(`${key}="${value}"`);
  }
  return Object.fromEntries(pairs) as Record<string, string>;
}

function decoded(text: string): string {
  const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
  if (text.replace(REFERENCE, '').includes('&')) refuse(text);
  return text.replace(REFERENCE, (one) => characters[one]!);
}

function refuse(what: string): never {
  throw new Error(`not allowed in a badge: ${what}`);
}
