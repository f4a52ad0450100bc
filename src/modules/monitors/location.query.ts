import { invalidQuery } from '../../http/body/validation.js';

/** Verifies that a monitor is checked from the location that a request names. @throws 400 */
export function expectLocation({ locations }: { locations: readonly string[] }, location: string): void {
  if (locations.includes(location)) return;
  const detail = `The monitor has no such location. Its locations: ${locations.join(', ')}.`;
  throw invalidQuery([{ parameter: 'location', code: 'invalid_value', detail }]);
}
