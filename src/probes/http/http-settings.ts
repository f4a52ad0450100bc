import { type ClientIdentity } from '../net/egress.js';
import { basicAuthorization } from './credentials.js';
import { type HttpSettings } from './http-settings.dto.js';
import { type Proxy } from './proxy.js';

const NONE = {
  ipVersion: null,
  http2: false,
  form: null,
  clientCertificate: null,
  clientKey: null,
  proxyUrl: null,
  proxyUsername: null,
  proxyPassword: null,
} satisfies Required<HttpSettings>;

/** Returns settings with all members, or null if all have their defaults. Drops what belongs to something absent. */
export function completeSettings(given: HttpSettings | null | undefined): Required<HttpSettings> | null {
  const settings = { ...NONE, ...given };
  if (!settings.clientCertificate) Object.assign(settings, { clientCertificate: null, clientKey: null });
  if (!settings.proxyUrl) Object.assign(settings, { proxyUrl: null, proxyUsername: null, proxyPassword: null });
  const isUsual = (Object.keys(NONE) as (keyof HttpSettings)[]).every((name) => settings[name] === NONE[name]);
  return isUsual ? null : settings;
}

/** Returns the client certificate of a definition. */
export function identityOf({ clientCertificate, clientKey }: HttpSettings): ClientIdentity | null {
  return clientCertificate && clientKey ? { certificate: clientCertificate, key: clientKey } : null;
}

/** Returns the proxy of a definition. */
export function proxyOf({ proxyUrl, proxyUsername, proxyPassword }: HttpSettings): Proxy | null {
  if (!proxyUrl) return null;
  const authorization = proxyUsername ? basicAuthorization(proxyUsername, proxyPassword ?? '') : null;
  return { url: new URL(proxyUrl), authorization };
}
