/** What an RDAP server knows of a domain (RFC 9083). */
export interface Registration {
  /** Epoch milliseconds; `null` if the server does not reveal it. */
  expiresAtMs: number | null;
  /** The name of the registrar; `null` if the server does not reveal it. */
  registrar: string | null;
  /** Such as `active` or `client hold`. */
  statuses: string[];
}

type Json = Readonly<Record<string, unknown>>;

/** Returns whether the response of an RDAP server describes a domain (RFC 9083, section 4.9). */
export function isDomain(response: unknown): boolean {
  return objectOf(response).objectClassName === 'domain';
}

/**
 * Returns the spelling of a status in RDAP (RFC 8056), such as `client hold`, also for that of EPP (RFC 5731), such as
 * `clientHold`.
 */
export function statusWords(status: string): string {
  return status.replace(/([a-z])(?=[A-Z])/g, '$1 ').toLowerCase();
}

/** Reads the response of an RDAP server. Members that are missing or malformed are left out. */
export function registrationIn(response: unknown): Registration {
  const domain = objectOf(response);
  const expiration = objectsIn(domain.events).find(({ eventAction }) => eventAction === 'expiration');
  const registrar = objectsIn(domain.entities).find(({ roles }) => Array.isArray(roles) && roles.includes('registrar'));
  return {
    expiresAtMs: timeIn(expiration?.eventDate),
    registrar: registrar ? nameIn(registrar) : null,
    statuses: Array.isArray(domain.status) ? domain.status.filter((one): one is string => typeof one === 'string') : [],
  };
}

/** Returns a time in epoch milliseconds; `null` unless its year has four digits, which all formats of times can hold. */
function timeIn(value: unknown): number | null {
  const at = typeof value === 'string' ? new Date(value) : new Date(NaN);
  const year = at.getUTCFullYear();
  return year >= 1_000 && year <= 9_999 ? at.getTime() : null;
}

/** Returns the formatted name of an entity, which it has as a jCard (RFC 7095). */
function nameIn({ vcardArray }: Json): string | null {
  const properties: unknown = Array.isArray(vcardArray) ? vcardArray[1] : null;
  if (!Array.isArray(properties)) return null;
  const name = properties.find((one): one is unknown[] => Array.isArray(one) && one[0] === 'fn');
  return typeof name?.[3] === 'string' ? name[3] : null;
}

/**
 * Returns the address of the RDAP server for a domain from IANA's list (RFC 9224), which assigns servers to top-level
 * domains and a few longer names; `null` if there is none. The longest match counts, and https before http.
 */
export function serverFor(domain: string, list: unknown): string | null {
  const services = Array.isArray(objectOf(list).services) ? (objectOf(list).services as unknown[]) : [];
  const labels = domain.split('.');
  for (let from = 1; from < labels.length; from += 1) {
    const suffix = labels.slice(from).join('.');
    for (const service of services) {
      const [names, urls] = Array.isArray(service) ? (service as unknown[]) : [];
      if (!Array.isArray(names) || !Array.isArray(urls) || !names.includes(suffix)) continue;
      const texts = urls.filter((url): url is string => typeof url === 'string');
      return texts.find((url) => url.startsWith('https:')) ?? texts[0] ?? null;
    }
  }
  return null;
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}
