import { type AssertionSource } from '../../../../domain/assertions.js';
import { HTTP_METHODS } from '../../../../probes/http/http-fields.dto.js';
import { RECORD_TYPES } from '../../../../probes/dns/record-query.js';
import { type FormField } from './form-field.js';

/** What the form of one monitor type has beside what all of them have. */
export interface TypeForm {
  /** In one sentence, for who chooses. */
  summary: string;
  /** First on the page. */
  essential: readonly FormField[];
  /** Behind "Request", where there is one. */
  request: readonly FormField[];
  /** Whether it takes credentials. */
  takesAuth: boolean;
  /** Beside the thresholds. */
  judged: readonly FormField[];
  sources: readonly AssertionSource[];
}

const YES_NO = [
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
];
const choicesOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const host = (help: string): FormField => ({ pointer: '/host', label: 'Host', kind: 'text', required: true, help });
const port = (help: string): FormField => ({ pointer: '/port', label: 'Port', kind: 'integer', help });
const verifyTls: FormField = {
  ...{ pointer: '/verifyTls', label: 'The certificate must be valid', kind: 'boolean', choices: YES_NO },
  help: 'Trusted, in date, and of this host.',
};

const http: TypeForm = {
  summary: 'Requests a URL and judges the answer: status code, headers, body, time, certificate.',
  essential: [
    {
      ...{ pointer: '/url', label: 'URL', kind: 'text', required: true },
      help: 'With https:// or http://. Credentials go below, never into the URL.',
    },
  ],
  request: [
    { pointer: '/method', label: 'Method', kind: 'text', choices: choicesOf(HTTP_METHODS) },
    {
      ...{ pointer: '/headers', label: 'Headers', kind: 'headers', lines: 4 },
      help: 'One a line, such as Accept: application/json. ******** keeps a secret that is stored.',
    },
    { pointer: '/body', label: 'Body', kind: 'text', lines: 4, help: 'Set Content-Type above.' },
    { pointer: '/followRedirects', label: 'Follow redirects', kind: 'boolean', choices: YES_NO },
    { pointer: '/maxRedirects', label: 'Redirects at most', kind: 'integer', help: '0 to 20; 10 where it is empty.' },
    verifyTls,
  ],
  takesAuth: true,
  judged: [
    {
      ...{ pointer: '/expectedStatusCodes', label: 'Status codes that pass', kind: 'statusCodes' },
      help: 'Codes, classes and ranges, by commas: 2xx, 301, 400-404.',
    },
  ],
  sources: ['statusCode', 'responseTimeMs', 'header', 'textBody', 'jsonBody', 'tlsDaysLeft'],
};

const tcp: TypeForm = {
  summary: 'Connects to a port, and passes when the connection is accepted.',
  essential: [host('A name or an IP address.'), { ...port('1 to 65,535.'), required: true }],
  ...{ request: [], takesAuth: false, judged: [], sources: ['responseTimeMs'] },
};

const tls: TypeForm = {
  summary: 'Makes a TLS handshake and judges the certificate: valid, trusted, of this host, and its days left.',
  essential: [host('A name or an IP address; the certificate must belong to it.'), port('443 where it is empty.')],
  request: [],
  takesAuth: false,
  judged: [verifyTls],
  sources: ['tlsDaysLeft', 'responseTimeMs'],
};

const dns: TypeForm = {
  summary: 'Asks for the records of a name; passes when there is one, and compares them if told to.',
  essential: [
    host('The name to ask for.'),
    { pointer: '/settings/recordType', label: 'Record type', kind: 'text', choices: choicesOf(RECORD_TYPES) },
    {
      ...{ pointer: '/settings/nameserver', label: 'Name server', kind: 'text' },
      help: 'An IP address, with a port unless that is 53. Empty: the name servers of the machine that checks.',
    },
  ],
  ...{ request: [], takesAuth: false, judged: [], sources: ['dnsRecord', 'responseTimeMs'] },
};

const ping: TypeForm = {
  summary: 'Sends one ICMP echo and passes when it is answered.',
  essential: [host('A name or an IP address.')],
  ...{ request: [], takesAuth: false, judged: [], sources: ['responseTimeMs'] },
};

/** A type that is not here has a form of what all types have; the rest of its definition stays as it is. */
const OTHER: TypeForm = {
  summary: 'The API makes monitors of this type; here is what it has in common with others.',
  ...{ essential: [], request: [], takesAuth: false, judged: [], sources: [] },
};

const TYPE_FORMS: Readonly<Record<string, TypeForm>> = { http, tcp, tls, dns, ping };

/** The types that can be made by a form. */
export const FORM_TYPES = Object.keys(TYPE_FORMS);

export function typeFormOf(type: string): TypeForm {
  return TYPE_FORMS[type] ?? OTHER;
}
