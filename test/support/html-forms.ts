/** A form of a page, with the fields that a browser would submit without any input. */
export interface PageForm {
  action: string;
  fields: [name: string, value: string][];
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Returns the text with its HTML entities replaced. */
export function unescaped(html: string): string {
  return html.replace(/&(amp|lt|gt|quot);/g, (entity) => ENTITIES[entity]!);
}

/** Returns the text of a piece of HTML, with each run of white space as one space. */
export function textOf(html: string): string {
  return unescaped(html.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
}

/** Returns the attributes of one tag; those without a value are empty. */
export function attributesOf(tag: string): Record<string, string> {
  const found = tag.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/gi);
  return Object.fromEntries([...found].map(([, name, value]) => [name!.toLowerCase(), unescaped(value ?? '')]));
}

/** Returns the forms of a page. Relies on the regular HTML of the application's renderer. */
export function formsOf(html: string): PageForm[] {
  return [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => ({
    action: attributesOf(/<form\b[^>]*>/.exec(form)![0]).action ?? '',
    fields: [...inputsOf(form), ...areasOf(form), ...selectsOf(form)],
  }));
}

function inputsOf(form: string): [string, string][] {
  return [...form.matchAll(/<input\b[^>]*>/g)].flatMap(([tag]) => {
    const { name, type, checked, value = type === 'checkbox' ? 'on' : '' } = attributesOf(tag);
    const isLeftOut = (type === 'radio' || type === 'checkbox') && checked === undefined;
    return name === undefined || isLeftOut ? [] : [[name, value]];
  });
}

/** Returns the text areas. HTML ignores a line break directly after the tag. */
function areasOf(form: string): [string, string][] {
  return [...form.matchAll(/(<textarea\b[^>]*>)\n?([\s\S]*?)<\/textarea>/g)].map(([, tag, content]) => [
    attributesOf(tag!).name ?? '',
    unescaped(content!),
  ]);
}

function selectsOf(form: string): [string, string][] {
  return [...form.matchAll(/(<select\b[^>]*>)([\s\S]*?)<\/select>/g)].map(([, tag, content]) => {
    const options = [...content!.matchAll(/<option\b[^>]*>/g)].map(([option]) => attributesOf(option));
    const chosen = options.find(({ selected }) => selected !== undefined) ?? options[0];
    return [attributesOf(tag!).name ?? '', chosen?.value ?? ''];
  });
}
