import { ApiProperty } from '@nestjs/swagger';

/** One of these values in an answer; later versions may add some. */
export function OpenEnum(values: readonly string[]): PropertyDecorator {
  return ApiProperty({ enum: values.slice(), ...({ 'x-extensible-enum': true } as object) });
}
