export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** The text of the element and its descendants, unescaped. */
  text: string;
}

const TAG = /<(\/?)([a-zA-Z:]+)((?:\s+[a-zA-Z:]+="[^"<]*")*)\s*(\/?)>/y;
const TEXT = /[^<]+/y;
const REFERENCE = /&(amp|lt|gt|quot);/g;
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\p{Surrogate}]/u;

/**
 * Returns the root element of a document. Throws if the document is not well-formed, or contains constructs that the
 * service's documents do not need, such as entities.
 */
export function parseXml(document: string): XmlElement {
  const declaration = '<?xml version="1.0" encoding="utf-8"?>\n';
  if (!document.startsWith(declaration)) throw new Error('no XML declaration');
  if (NOT_XML.test(document)) throw new Error('contains a character that XML does not allow');
  const xml = document.slice(declaration.length).trimEnd();
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  for (let at = 0; at < xml.length;) {
    const pattern = xml[at] === '<' ? TAG : TEXT;
    pattern.lastIndex = at;
    const match = pattern.exec(xml);
    if (!match) throw new Error(`not well-formed at ${xml.slice(at, at + 40)}`);
    at = pattern.lastIndex;
    if (pattern === TEXT) {
      const text = unescaped(match[0]);
      for (const element of open) element.text += text;
      continue;
    }
    const [, closes, name = '', written = '', empty] = match;
    if (closes) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes no open element`);
      continue;
    }
    const pairs = [...written.matchAll(/([a-zA-Z:]+)="([^"]*)"/g)].map(([, key, value]) => [key, unescaped(value!)]);
    const element = { name, attributes: Object.fromEntries(pairs) as Record<string, string>, children: [], text: '' };
    open.at(-1)!.children.push(element);
    if (!empty) open.push(element);
  }
  const [root] = top.children;
  if (open.length !== 1 || top.children.length !== 1 || !root) throw new Error('not exactly one root element');
  return root;
}

/** Returns the direct children of an element that have this name. */
export function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name);
}

function unescaped(text: string): string {
  if (text.replace(REFERENCE, '').includes('&')) throw new Error(`an unexpected entity reference in ${text}`);
  return text.replace(REFERENCE, (_, name: string) => CHARACTERS[name]!);
}
