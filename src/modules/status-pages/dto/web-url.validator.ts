import { registerDecorator } from 'class-validator';
import { parseUrl } from '../../../probes/net/parse-url.js';

/** Host names and IPv4 addresses. Other characters could add directives to a content policy. */
const HOST = /^[a-z0-9.-]+$/;

/**
 * Returns whether a value is an absolute http or https URL with a plain host, without user info, whitespace or
 * backslashes, so that it is safe as a link and as an image.
 */
export function isWebUrl(value: unknown): value is string {
  const url = typeof value === 'string' && /^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(value) ? parseUrl(value) : null;
  if (url === null) return false;
  const { hostname, username, password } = url;
  return HOST.test(hostname) && username === '' && password === '';
}

/** Accepts the values that `isWebUrl` accepts. */
export function IsWebUrl(): PropertyDecorator {
  return (target, name) =>
    registerDecorator({
      name: 'isWebUrl',
      target: target.constructor,
      propertyName: String(name),
      validator: {
        validate: isWebUrl,
        defaultMessage: () =>
          '$property must be an absolute http or https URL without a username or password, such as https://example.com/',
      },
    });
}
