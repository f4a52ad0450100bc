import { IsArray, IsBoolean, IsInt, IsNumber, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';
import { canaryTargets, LOCATION_PATTERN } from '../../config/setting-values.js';
import { inspectBody } from '../../http/body/validation.js';
import { validationFailed } from '../../http/problems/problem.js';

const LATITUDE = 'The latitude must be a number of degrees from -90 to 90.';
const LONGITUDE = 'The longitude must be a number of degrees from -180 to 180.';

/** What an operator states about a location. */
export class LocationDefinition {
  @Matches(LOCATION_PATTERN, {
    message: 'The key must consist of 1 to 50 lower-case letters and digits, with "-" in between.',
  })
  key: string;

  @IsString()
  @Length(1, 100)
  name: string;

  @IsOptional()
  @Matches(/^[A-Z]{2}$/, { message: 'The country must be an ISO 3166-1 code of two capital letters, such as NL.' })
  country: string | null;

  @IsOptional()
  @IsNumber({}, { message: LATITUDE })
  @Min(-90, { message: LATITUDE })
  @Max(90, { message: LATITUDE })
  latitude: number | null;

  @IsOptional()
  @IsNumber({}, { message: LONGITUDE })
  @Min(-180, { message: LONGITUDE })
  @Max(180, { message: LONGITUDE })
  longitude: number | null;

  @IsBoolean()
  enabled: boolean;

  @IsArray()
  @IsString({ each: true })
  canaryTargets: string[];

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(300_000)
  degradedAfterMs: number | null;
}

/** Validates the definition of a location. @throws 422 with all errors at once */
export function readLocation(definition: LocationDefinition): LocationDefinition {
  const { instance, errors } = inspectBody(LocationDefinition, { ...definition });
  if (errors.length > 0) throw validationFailed(errors);
  try {
    canaryTargets(instance.canaryTargets.join(','));
  } catch (error) {
    const detail = `The canary targets ${(error as Error).message}.`;
    throw validationFailed([{ pointer: '/canaryTargets', code: 'invalid_value', detail }]);
  }
  return instance;
}
