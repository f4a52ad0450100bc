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
      help: 'Starts with https:// or http://. Add credentials under Authentication.',
    },
  ],
  request: [
    { pointer: '/method', label: 'Method', kind: 'text', choices: choicesOf(HTTP_METHODS) },
    {
      pointer: '/headers',
      label: 'Headers',
      kind: 'headers',
      lines: 4,
      help: 'One per line, for example Accept: application/json. ******** keeps a stored secret.',
    },
    {
      pointer: '/secretHeaders',
      label: 'Secret headers',
      kind: 'list',
      help: 'Comma-separated names, for example X-Internal. Headers such as Authorization and X-Api-Key are always secret.',
    },
    { pointer: '/body', label: 'Body', kind: 'text', lines: 4, help: 'Set its Content-Type under Headers.' },
    yesNoField('/followRedirects', 'Follow redirects'),
    { pointer: '/maxRedirects', label: 'Max redirects', kind: 'integer', help: '0 to 20. Default: 10.' },
    VERIFY_TLS,
  ],
  takesAuth: true,
  judged: [
    {
      pointer: '/expectedStatusCodes',
      label: 'Accepted status codes',
      kind: 'statusCodes',
      help: 'Comma-separated codes, classes and ranges: 2xx, 301, 400-404.',
    },
  ],
  sources: HttpAssertion.sources,
};
