import { registerDecorator } from 'class-validator';

/** Names and IPv4 addresses: a host with other characters could say more than a host inside a content policy. */
const HOST = /^[a-z0-9.-]+$/;

/** An absolute http(s) URL with a plain host, without user info, blanks or backslashes: safe as a link and as an image. */
export function isWebUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(value) || !URL.canParse(value)) return false;
  const { hostname, username, password } = new URL(value);
  return HOST.test(hostname) && username === '' && password === '';
}

/** Accepts what `isWebUrl` does. */
export function IsWebUrl(): PropertyDecorator {
  return (target, name) =>
    registerDecorator({
      name: 'isWebUrl',
      target: target.constructor,
      propertyName: String(name),
      validator: {
        validate: isWebUrl,
        defaultMessage: () => 'wants an absolute http or https URL without user info, such as https://example.com/',
      },
    });
}
