import { registerDecorator } from 'class-validator';

/** Whether the name of a time zone is one that the platform's IANA database has, aliases included; offsets are none. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[A-Za-z][A-Za-z0-9_+/-]{0,99}$/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** What is told of anything else, behind the name of the member. */
export const WANTS_TIME_ZONE = 'wants the name of an IANA time zone, such as Europe/Berlin';

/** Accepts what `isTimeZone` does. */
export function IsIanaTimeZone(): PropertyDecorator {
  return (target, name) =>
    registerDecorator({
      name: 'isIanaTimeZone',
      target: target.constructor,
      propertyName: String(name),
      validator: {
        validate: isTimeZone,
        defaultMessage: () => WANTS_TIME_ZONE,
      },
    });
}
