import { takesProperty, takesTarget } from '../../../../domain/assertions.js';
import { type FormFields } from '../../../../http/body/form-fields.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../http/body/json.js';

/** Maximum number of assertions of a monitor. */
export const MAX_ROWS = 20;
/** Number of empty rows after those that are filled in. */
const SPARE_ROWS = 2;

const MEMBERS = ['source', 'property', 'comparison', 'target'] as const;
export type AssertionMember = (typeof MEMBERS)[number];

/** `prefix`: that of the controls of a step; empty for those of the monitor. */
export function rowField(row: number, member: AssertionMember, prefix = ''): string {
  return `${prefix}assertion-${row}-${member}`;
}

/** Returns the pointers of all rows of a list of assertions. */
export function rowPointers(pointer: string): string[] {
  return Array.from({ length: MAX_ROWS }, (_, row) => `${pointer}/${row}`);
}

/** Returns the number of rows to show if `filled` are filled in. */
export function rowsFor(filled: number): number {
  return Math.min(MAX_ROWS, filled + SPARE_ROWS);
}

/**
 * Returns the assertions in the rows of a form, in order. Rows without a source are ignored, and so are the controls
 * that the form does not show for a source or comparison.
 */
export function assertionsOf(form: FormFields, prefix = ''): JsonObject[] {
  return Array.from({ length: MAX_ROWS }, (_, row) => row).flatMap((row) => {
    const [source, property, comparison, target] = MEMBERS.map((member) => form.text(rowField(row, member, prefix)));
    if (!source) return [];
    return [
      {
        source,
        property: takesProperty(source) ? property || null : null,
        comparison: comparison!,
        target: takesTarget(comparison!) ? targetOf(target!) : null,
      },
    ];
  });
}

/** Returns the contents of the controls for these assertions, one per row, and of the empty rows after them. */
export function assertionTexts(assertions: JsonValue | undefined, prefix = ''): Record<string, string> {
  const all = Array.isArray(assertions) ? assertions.filter(isJsonObject) : [];
  return Object.fromEntries(
    Array.from({ length: MAX_ROWS }, (_, row) => row).flatMap((row) =>
      MEMBERS.map((member) => [rowField(row, member, prefix), textOf(member, all[row]?.[member])]),
    ),
  );
}

function textOf(member: AssertionMember, value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (member === 'target' && typeof value === 'string' && isScalarJson(value)) return JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Parses a number, `true`, `false` or a quoted text as JSON. Any other text stands for itself. */
function targetOf(text: string): JsonValue {
  if (text === '') return null;
  return isScalarJson(text) ? (JSON.parse(text) as JsonValue) : text;
}

/** Returns whether a text would be parsed as JSON. This excludes `null`, which an empty control represents. */
function isScalarJson(text: string): boolean {
  try {
    return ['string', 'number', 'boolean'].includes(typeof JSON.parse(text));
  } catch {
    return false;
  }
}
