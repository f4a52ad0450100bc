import { type AssertionSource } from '../domain/assertions.js';

/** How the text of a control becomes a value of a definition, and back. */
export type FieldKind = 'text' | 'integer' | 'boolean' | 'list' | 'statusCodes' | 'headers';

/** One option of a control that offers a list. */
export interface FormChoice {
  value: string;
  label: string;
}

/** One control of a form, which writes one member of a monitor's definition. */
export interface FormField {
  /** JSON pointer to the member. Its last step is the name of the control. */
  pointer: string;
  label: string;
  kind: FieldKind;
  help?: string;
  /** Offers a list instead of a line of text. */
  choices?: readonly FormChoice[];
  /** Offers an area of this many lines. */
  lines?: number;
  required?: boolean;
}

/** The controls of one monitor type, in addition to those that all types have. */
export interface ProbeForm {
  /** Shown first, directly below the name. */
  essential: readonly FormField[];
  /** Shown in the group "The request"; without any, the form has no such group. */
  request?: readonly FormField[];
  /** Shown with the thresholds. */
  judged?: readonly FormField[];
  /** Whether the form offers credentials, which write `auth`. */
  takesAuth?: boolean;
  /** Sources that the form offers for assertions; without any, it offers no assertions. */
  sources?: readonly AssertionSource[];
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

export function hostField(help: string): FormField {
  return { pointer: '/host', label: 'Host', kind: 'text', required: true, help };
}

export const VERIFY_TLS = yesNoField('/verifyTls', 'Verify TLS certificate', 'Trusted, in date, and of this host.');
