/** How the text of a control becomes a value of a definition, and back. */
export type FieldKind =
  | 'text'
  | 'escaped'
  | 'json'
  | 'url'
  | 'integer'
  | 'boolean'
  | 'list'
  | 'statusCodes'
  | 'headers'
  | 'extracts'
  | 'seconds'
  | 'milliseconds';

/** Returns the content of a control by its name. */
export type ControlTexts = (name: string) => string;

/** One option of a control that offers a list. */
export interface FormChoice {
  value: string;
  label: string;
}

/** One control of a form, which writes one member of a definition. */
export interface FormField {
  /** JSON pointer to the member. */
  pointer: string;
  /** The name of the control. By default, the last step of the pointer. */
  name?: string;
  label: string;
  kind: FieldKind;
  help?: string;
  /** What leaving the control empty does, such as keeping what is stored. Shown after the help. */
  ifEmpty?: string;
  /** Offers a list instead of a line of text. */
  choices?: readonly FormChoice[];
  /** Offers an area of this many lines. */
  lines?: number;
  required?: boolean;
  /** The member is a secret: the control hides what is typed, and shows a mask instead of what is stored. */
  secret?: boolean;
  /**
   * For `seconds` and `milliseconds`: the usual durations, in the unit of the member. The control offers them and, as
   * the last choice, a number of seconds.
   */
  usual?: readonly number[];
  /** The label of the choice that leaves such a member out; without it, a duration is required. */
  unset?: string;
  /** Returns what the heading of a closed section says about the control; null for nothing. */
  brief?: (texts: ControlTexts) => string | null;
}

const YES_NO: readonly FormChoice[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

export function choicesOf(values: readonly string[]): FormChoice[] {
  return values.map((value) => ({ value, label: value }));
}

export function yesNoField(pointer: string, label: string, help?: string): FormField {
  return { pointer, label, kind: 'boolean', choices: YES_NO, ...(help !== undefined && { help }) };
}
