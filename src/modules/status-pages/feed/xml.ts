const NOT_XML = /[\p{Surrogate}\p{Noncharacter_Code_Point}]|[^\P{Control}\t\n\r\u0080-\u009f]/gu;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as it stands in XML 1.0 (or HTML), also in attributes; characters that XML cannot hold are left out. */
export function escaped(text: string): string {
  return text.replace(NOT_XML, '').replace(/[&<>"]/g, (character) => ESCAPES[character]!);
}

/** `<name attribute="…">…</name>`. The children are XML already. */
export function element(name: string, attributes: Record<string, string>, ...children: readonly string[]): string {
  const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`);
  const start = `<${name}${written.join('')}`;
  return children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${name}>`;
}
