import { registerDecorator } from 'class-validator';
import { isTimeZone, TIME_ZONE_RULE } from '../../domain/time-zone.js';

/** Accepts the values that `isTimeZone` accepts. */
export function IsIanaTimeZone(): PropertyDecorator {
  return (target, name) =>
    registerDecorator({
      name: 'isIanaTimeZone',
      target: target.constructor,
      propertyName: String(name),
      validator: {
        validate: isTimeZone,
        defaultMessage: () => `$property ${TIME_ZONE_RULE}`,
      },
    });
}
