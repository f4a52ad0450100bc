const NOT_XML = /[\p{Surrogate}\p{Noncharacter_Code_Point}]|[^\P{Control}\t\n\r\u0080-\u009f]/gu;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for XML 1.0 or HTML, including attributes. Removes characters that are invalid in XML. */
export function escaped(text: string): string {
  return text.replace(NOT_XML, '').replace(/[&<>"]/g, (character) => ESCAPES[character]!);
}

/** Returns `<name attribute="…">…</name>`. The children must be XML. */
export function element(name: string, attributes: Record<string, string>, ...children: readonly string[]): string {
  const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`);
  const start = `<${name}${written.join('')}`;
  return children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${name}>`;
}
