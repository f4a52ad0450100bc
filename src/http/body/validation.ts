import { plainToInstance } from 'class-transformer';
import { type FieldErrorCode } from '../../domain/field-error-codes.js';
import { constraintFaults, declaredNames, type Fault, shapeFaults, unknownFaults } from './dto-faults.js';
import { isJsonObject, type JsonObject, jsonPointer, scanJson } from './json.js';
import { type FieldError, ProblemException, validationFailed } from '../problems/problem.js';
import { listParameters } from '../lists/query.decorators.js';

type Dto<T extends object> = new () => T;

export interface BodyRules {
  /** Names that callers know from answers but never write: `read_only_field` instead of `unknown_field`. */
  readOnly?: readonly string[];
}

/**
 * A parsed body as an object whose content is safe to map; an absent body is an empty object. Throws 422 for an array,
 * `null` or a scalar (pointer ""), and for what no body may hold (see `scanJson`).
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
 * A valid instance of `cls` from a parsed body; nothing is converted. Throws 422 `validation_failed` with every fault
 * at once, each by its JSON pointer. DTO classes have no `@Transform` on free-form values: those come back as sent.
 */
export function validateBody<T extends object>(cls: Dto<T>, raw: unknown, rules: BodyRules = {}): T {
  const { instance, errors } = inspectBody(cls, readObject(raw), rules);
  if (errors.length > 0) throw validationFailed(errors);
  return instance;
}

/** For a route that takes no fields: 422 for any that are sent. An absent body and `{}` pass. */
export function expectNoFields(raw: unknown): void {
  const names = Object.keys(readObject(raw));
  if (names.length > 0) {
    const detail = 'This takes no fields.';
    throw validationFailed(names.map((name) => ({ pointer: jsonPointer([name]), code: 'unknown_field', detail })));
  }
}

/** As `validateBody`, of an object from `readObject`, but hands the faults back: for services that find more. */
export function inspectBody<T extends object>(
  cls: Dto<T>,
  body: JsonObject,
  rules: BodyRules = {},
): { instance: T; errors: FieldError[] } {
  const shape = shapeFaults(cls, body).map((fault) => asReadOnly(fault, rules.readOnly ?? []));
  // What has no place in the class is neither mapped nor judged: a body could make that take seconds.
  const misplaced = new Set(shape.map(({ path }) => path[0]));
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !misplaced.has(name)));
  const instance = plainToInstance(cls, rest);
  const values = constraintFaults(instance).filter(({ path }) => !misplaced.has(path[0]));
  const errors = [...shape, ...unknownFaults(rest, instance), ...values].map(({ path, code, detail }) => ({
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
 * A valid instance of `cls` from query parameters. Throws 400 `invalid_query` with every fault at once: unknown
 * parameters, single ones that are repeated, NUL, and values that break the class's rules.
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

/** Classes that a query without parameters is valid for, which most requests have: so it is judged once. */
const takesNothing = new WeakSet<Dto<object>>();

/** 400: what is wrong with the query; the text names the first parameter. */
export function invalidQuery(errors: FieldError[]): ProblemException {
  return new ProblemException(400, 'invalid_query', errors[0]?.detail ?? 'The query is invalid.', { errors });
}

function parameterFault(name: string, value: unknown, declared: ReadonlySet<string>, lists: Set<string>): FieldError[] {
  const fault = (code: FieldErrorCode, detail: string) => [{ parameter: name, code, detail }];
  if (!declared.has(name)) return fault('unknown_parameter', `There is no parameter "${name}" here.`);
  if (Array.isArray(value) && !lists.has(name)) return fault('repeated_parameter', `Send "${name}" once.`);
  const hasNul = [value].flat().some((one) => String(one).includes('\0'));
  return hasNul ? fault('forbidden_character', `"${name}" must not contain NUL.`) : [];
}
