import { choicesOf, type FormField } from '../../domain/form-field.js';
import { ENCODINGS } from './expectation-settings.dto.js';

/** The form controls of what a check sends and expects. */
export const EXPECTATION_FORM: readonly FormField[] = [
  {
    pointer: '/settings/send',
    label: 'Send',
    kind: 'escaped',
    help: 'What is sent. \\r, \\n, \\t and \\\\ are escapes.',
    brief: (texts) => (texts('send') === '' ? 'sends nothing' : 'sends data'),
  },
  {
    pointer: '/settings/expect',
    label: 'Expected text',
    kind: 'escaped',
    help: 'The check passes as soon as the response contains this.',
    brief: (texts) => (texts('expect') === '' ? null : `expects ${texts('expect')}`),
  },
  {
    pointer: '/settings/expectMatches',
    label: 'Expected pattern',
    kind: 'text',
    help: 'A regular expression, as an alternative to the text.',
  },
  {
    pointer: '/settings/encoding',
    label: 'Encoding',
    kind: 'text',
    choices: choicesOf(ENCODINGS),
    help: 'Whether these are texts or hexadecimal digits.',
  },
];
