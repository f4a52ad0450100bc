import { type ProbeForm, VERIFY_TLS, choicesOf, yesNoField } from '../probe-form.js';
import { HTTP_METHODS, HttpAssertion } from './http-fields.dto.js';

/** The form controls of an HTTP monitor. */
export const HTTP_FORM: ProbeForm = {
  essential: [
    {
      pointer: '/url',
      label: 'URL',
      kind: 'text',
      required: true,
      help: 'With https:// or http://. Credentials go below, never into the URL.',
    },
  ],
  request: [
    { pointer: '/method', label: 'Method', kind: 'text', choices: choicesOf(HTTP_METHODS) },
    {
      pointer: '/headers',
      label: 'Headers',
      kind: 'headers',
      lines: 4,
      help: 'One a line, such as Accept: application/json. ******** keeps a secret that is stored.',
    },
    {
      pointer: '/secretHeaders',
      label: 'Secret headers',
      kind: 'list',
      help: 'Names by commas, such as X-Internal. Names such as Authorization and X-Api-Key are secret anyway.',
    },
    { pointer: '/body', label: 'Body', kind: 'text', lines: 4, help: 'Set Content-Type above.' },
    yesNoField('/followRedirects', 'Follow redirects'),
    { pointer: '/maxRedirects', label: 'Redirects at most', kind: 'integer', help: '0 to 20; 10 where it is empty.' },
    VERIFY_TLS,
  ],
  takesAuth: true,
  judged: [
    {
      pointer: '/expectedStatusCodes',
      label: 'Status codes that pass',
      kind: 'statusCodes',
      help: 'Codes, classes and ranges, by commas: 2xx, 301, 400-404.',
    },
  ],
  sources: HttpAssertion.sources,
};
