import { type FormField } from '../../domain/form-field.js';
import { HTTP_FORM } from '../http/http-form.js';
import { type ProbeForm } from '../probe-form.js';
import { MAX_STEPS, SequenceAssertion } from './sequence-fields.dto.js';

const { essential, request = [], judged = [] } = HTTP_FORM;

const URL_HELP =
  'If the scheme is omitted, https:// is used. Path and query may contain values of earlier steps, such as {{id}}.';

/** The form controls of a sequence. A step has the usual ones of an HTTP monitor. */
export const SEQUENCE_FORM: ProbeForm = {
  gist: 'Several requests, such as a sign-in',
  essential: [],
  steps: {
    pointer: '/settings/steps',
    help: 'Requests that are sent in this order, each with the cookies of those before it. The first one that fails ends the check.',
    most: MAX_STEPS,
    like: 'http',
    essential: [
      { pointer: '/name', label: 'Name', kind: 'text', help: 'Failures mention it, for example Sign in.' },
      ...only(request, '/method'),
      ...essential.map((field) => ({ ...field, help: URL_HELP })),
    ],
    request: only(request, '/headers', '/secretHeaders', '/body'),
    judged,
    other: [
      {
        pointer: '/extract',
        label: 'Values for later steps',
        kind: 'extracts',
        lines: 3,
        help: 'One per line, for example token = jsonBody $.access_token, session = header X-Session or id = textBody id=(\\d+). Later steps insert them as {{token}}.',
        brief: (texts) => (texts('extract').trim() === '' ? null : 'with values for later steps'),
      },
    ],
  },
  sources: SequenceAssertion.sources,
};

function only(fields: readonly FormField[], ...pointers: string[]): FormField[] {
  return fields.filter(({ pointer }) => pointers.includes(pointer));
}
