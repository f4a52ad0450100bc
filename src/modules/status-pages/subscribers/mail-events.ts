import { cut, oneLine } from '../../../channels/plain-text.js';
import { type MailReport } from '../../../domain/mail-quarantine.js';
import { isJsonObject, type JsonObject } from '../../../http/body/json.js';
import { inspectBody, readObject } from '../../../http/body/validation.js';
import { type FieldError, validationFailed } from '../../../http/problems/problem.js';
import { MAIL_EVENT_TYPES, MailEventDto } from './dto/mail-event.dto.js';

/** Events in one request. */
export const MAX_MAIL_EVENTS = 500;
const MAX_REASON = 300;

/** A report about an address, which is in lower case. */
export interface AddressReport {
  email: string;
  report: MailReport;
}

/**
 * Returns what a webhook reports: one event, or an array of them. Events of other types are ignored, and so are members
 * that are not documented, because adapters of providers pass on more. Throws 422 for anything else.
 */
export function reportsOf(body: unknown): AddressReport[] {
  const events: unknown[] = Array.isArray(body) ? body : [body];
  if (events.length > MAX_MAIL_EVENTS) {
    const detail = `The body must contain at most ${MAX_MAIL_EVENTS} events.`;
    throw validationFailed([{ pointer: '', code: 'too_long', detail }]);
  }
  const errors: FieldError[] = [];
  const reports = events.flatMap((event, index) => {
    const { type, data } = readObject(event);
    if (typeof type === 'string' && !(MAIL_EVENT_TYPES as readonly string[]).includes(type)) return [];
    const inspected = inspectBody(MailEventDto, defined({ type, data: isJsonObject(data) ? documented(data) : data }));
    errors.push(...inspected.errors.map((error) => (Array.isArray(body) ? inElement(index, error) : error)));
    return inspected.errors.length > 0 ? [] : [toReport(inspected.instance)];
  });
  if (errors.length > 0) throw validationFailed(errors);
  return reports;
}

function toReport({ type, data }: MailEventDto): AddressReport {
  const { email, permanent, reason } = data;
  const report: MailReport = {
    kind: type === 'mail.bounced' ? 'bounced' : 'complained',
    permanent: permanent ?? true,
    reason: withoutAddresses(reason ?? '', email),
  };
  return { email: email.toLowerCase(), report };
}

const documented = ({ email, permanent, reason }: JsonObject): JsonObject => defined({ email, permanent, reason });

function defined(members: Record<string, JsonObject[string] | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

function inElement(index: number, error: FieldError): FieldError {
  return { ...error, pointer: `/${index}${error.pointer ?? ''}` };
}

/** Returns a reason on one line. Servers often quote the address, which must not outlast the subscriber. */
function withoutAddresses(reason: string, email: string): string | null {
  // Bounces are often returned to addresses that contain the recipient as jo=example.com.
  const parts = reason.replaceAll(email.replace('@', '='), '…').split(/([\s<>()[\]"':;,]+)/);
  const text = parts.map((part) => (part.includes('@') ? '…' : part)).join('');
  return cut(oneLine(text), MAX_REASON) || null;
}
