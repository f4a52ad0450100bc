import { type Assertion, type AssertionSource } from '../domain/assertions.js';
import { type FormField, yesNoField } from '../domain/form-field.js';

/** The controls of one monitor type, in addition to those that all types have. */
export interface ProbeForm {
  /** What such a monitor watches, in a few words, for the choice of the type. */
  gist: string;
  /** Shown first, directly below the name. */
  essential: readonly FormField[];
  /** Shown in the section "Request"; without any, the form has no such section. */
  request?: readonly FormField[];
  /** Shown with the thresholds. */
  judged?: readonly FormField[];
  /** Whether the form offers credentials, which write `auth`. */
  takesAuth?: boolean;
  /** Sources that the form offers for assertions; without any, it offers no assertions. */
  sources?: readonly AssertionSource[];
  /** The assertions that the form of a new monitor starts with. */
  initialAssertions?: readonly Assertion[];
  /** Steps that the form lets people add, remove and move. */
  steps?: StepsForm | null;
}

/** The controls of a list of steps. Their pointers begin at the step, and have one part. */
export interface StepsForm {
  /** JSON pointer to the list. */
  pointer: string;
  /** How the list works, in a sentence or two. */
  help: string;
  most: number;
  /** The type whose definitions have the same members, defaults, secrets and assertions as a step. */
  like: string;
  /** Shown first. */
  essential: readonly FormField[];
  request: readonly FormField[];
  /** Shown with the assertions. */
  judged: readonly FormField[];
  /** Shown with the members that have no control, which are written as JSON. */
  other: readonly FormField[];
}

export function hostField(help: string): FormField {
  return { pointer: '/host', label: 'Host', kind: 'text', required: true, help };
}

export const VERIFY_TLS: FormField = {
  ...yesNoField(
    '/verifyTls',
    'Verify TLS certificate',
    'The certificate must be trusted, not expired, and issued for this host.',
  ),
  brief: (texts) => (texts('verifyTls') === 'false' ? 'certificate not verified' : null),
};

/** The control of a port that has to be named. */
export const PORT_FIELD: FormField = {
  pointer: '/port',
  label: 'Port',
  kind: 'integer',
  required: true,
  help: '1 to 65,535.',
};

/** The control of a port that may be left out. */
export function portField(usual: number): FormField {
  return { pointer: '/port', label: 'Port', kind: 'integer', help: `Default: ${usual}.` };
}
