import { type FormFields } from '../../../../http/body/form-fields.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../http/body/json.js';

/** As many as a monitor may have. */
export const MAX_ROWS = 20;
/** Rows that are offered beyond those that are filled in. */
const SPARE_ROWS = 2;

const MEMBERS = ['source', 'property', 'comparison', 'target'] as const;
export type AssertionMember = (typeof MEMBERS)[number];

export function rowField(row: number, member: AssertionMember): string {
  return `assertion-${row}-${member}`;
}

/** Rows to show where so many are filled in. */
export function rowsFor(filled: number): number {
  return Math.min(MAX_ROWS, filled + SPARE_ROWS);
}

/** The assertions that the rows of a form stand for, in their order; rows without a source are none. */
export function assertionsOf(form: FormFields): JsonObject[] {
  return Array.from({ length: MAX_ROWS }, (_, row) => row).flatMap((row) => {
    const [source, property, comparison, target] = MEMBERS.map((member) => form.text(rowField(row, member)));
    if (!source) return [];
    return [{ source, property: property || null, comparison: comparison!, target: targetOf(target!) }];
  });
}

/** The controls of these assertions, and empty ones after them: the first row is the first assertion. */
export function assertionTexts(assertions: JsonValue | undefined): Record<string, string> {
  const all = Array.isArray(assertions) ? assertions.filter(isJsonObject) : [];
  return Object.fromEntries(
    Array.from({ length: MAX_ROWS }, (_, row) => row).flatMap((row) =>
      MEMBERS.map((member) => [rowField(row, member), textOf(member, all[row]?.[member])]),
    ),
  );
}

function textOf(member: AssertionMember, value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (member === 'target' && typeof value === 'string' && isScalarJson(value)) return JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A number, `true`, `false` or a text in quotes is that value; any other text is itself. */
function targetOf(text: string): JsonValue {
  if (text === '') return null;
  return isScalarJson(text) ? (JSON.parse(text) as JsonValue) : text;
}

/** Whether a text would be read as a value other than itself. `null` is no target: an empty control stands for it. */
function isScalarJson(text: string): boolean {
  try {
    return ['string', 'number', 'boolean'].includes(typeof JSON.parse(text));
  } catch {
    return false;
  }
}
