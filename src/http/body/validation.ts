import { plainToInstance } from 'class-transformer';
import { type FieldErrorCode } from '../../domain/field-error-codes.js';
import { constraintFaults, declaredNames, type Fault, shapeFaults, unknownFaults } from './dto-faults.js';
import { isJsonObject, type JsonObject, jsonPointer, scanJson } from './json.js';
import { type FieldError, ProblemException, validationFailed } from '../problems/problem.js';
import { listParameters } from '../lists/query.decorators.js';

type Dto<T extends object> = new () => T;

export interface BodyRules {
  /** Names that appear in responses but cannot be written: reported as `read_only_field`, not as `unknown_field`. */
  readOnly?: readonly string[];
}

/**
 * Returns a parsed body as an object whose content is safe to map; an absent body is an empty object. Throws 422 for an
 * array, `null` or a scalar (pointer ""), and for content that no body may have (see `scanJson`).
 */
export function readObject(raw: unknown): JsonObject {
  const body = raw === undefined ? {} : raw;
  if (!isJsonObject(body)) {
    throw validationFailed([{ pointer: '', code: 'invalid_type', detail: 'The body must be a JSON object.' }]);
  }
  const faults = scanJson(body);
  if (faults.length > 0) throw validationFailed(faults);
  return body;
}

/**
 * Returns a valid instance of `cls` from a parsed body, without converting values. Throws 422 `validation_failed` with
 * all errors at once, each with its JSON pointer. DTO classes have no `@Transform` on free-form values, which are
 * returned as sent.
 */
export function validateBody<T extends object>(cls: Dto<T>, raw: unknown, rules: BodyRules = {}): T {
  const { instance, errors } = inspectBody(cls, readObject(raw), rules);
  if (errors.length > 0) throw validationFailed(errors);
  return instance;
}

/** Rejects a body with fields with 422, for a route that accepts none. An absent body and `{}` pass. */
export function expectNoFields(raw: unknown): void {
  const names = Object.keys(readObject(raw));
  if (names.length > 0) {
    const detail = 'This operation accepts no fields.';
    throw validationFailed(names.map((name) => ({ pointer: jsonPointer([name]), code: 'unknown_field', detail })));
  }
}

/** Validates an object from `readObject` like `validateBody`, but returns the errors: the service may find more. */
export function inspectBody<T extends object>(
  cls: Dto<T>,
  body: JsonObject,
  rules: BodyRules = {},
): { instance: T; errors: FieldError[] } {
  const shape = shapeFaults(cls, body).map((fault) => asReadOnly(fault, rules.readOnly ?? []));
  // Members that the class has no place for are neither mapped nor validated, because a body could make that take
  // seconds.
  const misplaced = new Set(shape.map(({ path }) => path[0]));
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !misplaced.has(name)));
  const instance = plainToInstance(cls, rest);
  // Restores what the mapping dropped, which must be validated, too.
  const unknown = unknownFaults(rest, instance);
  const values = constraintFaults(instance).filter(({ path }) => !misplaced.has(path[0]));
  const errors = [...shape, ...unknown, ...values].map(({ path, code, detail }) => ({
    pointer: jsonPointer(path),
    code,
    detail,
  }));
  return { instance, errors };
}

function asReadOnly(fault: Fault, readOnly: readonly string[]): Fault {
  const [name, ...below] = fault.path;
  if (below.length > 0 || !readOnly.includes(String(name))) return fault;
  return { ...fault, code: 'read_only_field', detail: `${name} is read-only.` };
}

/**
 * Returns a valid instance of `cls` from query parameters. Throws 400 `invalid_query` with all errors at once: unknown
 * parameters, repeated parameters that must not be, NUL, and values that violate the rules of the class.
 */
export function validateQuery<T extends object>(cls: Dto<T>, query: Record<string, unknown>): T {
  const isEmpty = Object.keys(query).length === 0;
  if (isEmpty && takesNothing.has(cls)) return new cls();
  const declared = declaredNames(cls);
  const lists = listParameters(cls);
  const refused = Object.entries(query).flatMap(([name, value]) => parameterFault(name, value, declared, lists));
  const names = new Set(refused.map(({ parameter }) => parameter));
  const rest = Object.entries(query).filter(([name]) => !names.has(name));
  const instance = plainToInstance(cls, Object.fromEntries(rest));
  const broken = constraintFaults(instance)
    .map(({ path, code, detail }) => ({ parameter: String(path[0]), code, detail }))
    .filter(({ parameter }) => !names.has(parameter));
  const errors: FieldError[] = [...refused, ...broken];
  if (errors.length > 0) throw invalidQuery(errors);
  if (isEmpty) takesNothing.add(cls);
  return instance;
}

/** Classes for which a query without parameters is valid. Most requests have none, so this is validated once. */
const takesNothing = new WeakSet<Dto<object>>();

/** Returns a 400 with the errors of a query. Its detail is that of the first one. */
export function invalidQuery(errors: FieldError[]): ProblemException {
  return new ProblemException(400, 'invalid_query', errors[0]?.detail ?? 'The query is invalid.', { errors });
}

function parameterFault(name: string, value: unknown, declared: ReadonlySet<string>, lists: Set<string>): FieldError[] {
  const fault = (code: FieldErrorCode, detail: string) => [{ parameter: name, code, detail }];
  if (!declared.has(name)) return fault('unknown_parameter', `Unknown parameter "${name}".`);
  if (Array.isArray(value) && !lists.has(name))
    return fault('repeated_parameter', `Send the parameter "${name}" only once.`);
  const hasNul = [value].flat().some((one) => String(one).includes('\0'));
  return hasNul ? fault('forbidden_character', `"${name}" must not contain NUL characters.`) : [];
}
