import { validateQuery } from '../../http/body/validation.js';

/** Validates the query of a page: the sent parameters with these names that are not blank. Throws 400 like the API. */
export function listQuery<T extends object>(
  cls: new () => T,
  sent: Readonly<Record<string, unknown>>,
  names: readonly string[],
): T {
  const given = names.flatMap((name): [string, unknown][] => {
    const values = [sent[name]]
      .flat()
      .map(trimmed)
      .filter((value) => value !== undefined && value !== '');
    return values.length === 0 ? [] : [[name, values.length === 1 ? values[0] : values]];
  });
  return validateQuery(cls, Object.fromEntries(given));
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

/** Returns a path with the parameters that have a value. A list becomes one parameter per entry. */
export function withQuery(
  path: string,
  parameters: Readonly<Record<string, string | readonly string[] | null | undefined>>,
): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => (one === '' ? [] : [[name, one]])),
  );
  const query = new URLSearchParams(given).toString();
  return query === '' ? path : `${path}?${query}`;
}
