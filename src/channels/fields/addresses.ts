import { type FormField } from '../../domain/form-field.js';
import { type ChannelHost } from '../channel.js';

/** Pattern of keys and tokens that become part of a header or an address. */
export const TOKEN = /^[\x21-\x7e]+$/;

/** Returns the host of a URL in the settings, for the check on write. */
export function hostAt(pointer: string, url: string): ChannelHost[] {
  return [{ pointer, host: new URL(url).hostname }];
}

/** Returns the origin of a URL, the scope of the secrets that are sent there. */
export function originOf(url: string): string {
  return new URL(url).origin;
}

/** Returns the address of an operation of a service with this base address, which may have a path. */
export function endpoint(base: string, path: string): string {
  return `${base.replace(/\/$/, '')}${path}`;
}

/** The control of the base address of a hosted service. */
export function apiUrlField(help: string): FormField {
  return { pointer: '/apiUrl', label: 'API URL', kind: 'text', help };
}

/** The control of a secret text. */
export function secretField(pointer: string, label: string, help: string, required = true): FormField {
  return { pointer, label, kind: 'text', secret: true, required, help };
}

/** Returns the header that authenticates with a token, if there is one. */
export function bearerHeader(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** Returns the header that authenticates with a name and a password (RFC 7617). */
export function basicHeader(name: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` };
}
