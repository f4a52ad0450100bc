import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import { type FieldErrorCode } from '../../domain/field-error-codes.js';
import { onceFor } from '../../domain/memo.js';
import { codeOfConstraint, isTypeConstraint } from './constraint-codes.js';
import { isJsonObject, type JsonObject, jsonPointer } from './json.js';

export type Path = readonly (string | number)[];

/** An error in one value. `path` leads to the value from the validated object. */
export interface Fault {
  path: Path;
  code: FieldErrorCode;
  detail: string;
}

type Class = abstract new (...args: never[]) => object;

function metadataOf(cls: Class) {
  return getMetadataStorage().getTargetValidationMetadatas(cls, '', false, false);
}

/** Returns the properties that a DTO class declares with validators, including inherited ones. */
export const declaredNames = onceFor(
  (cls: Class): ReadonlySet<string> => new Set(metadataOf(cls).map((metadata) => metadata.propertyName)),
);

/** Maximum length of an array whose class sets no limit. */
const MAX_ITEMS = 1_000;

/** Returns the maximum number of elements of each array property of a class. Other properties are absent or 0. */
const mostItems = onceFor((cls: Class): ReadonlyMap<string, number> => {
  const most = new Map<string, number>();
  for (const { propertyName, name, constraints } of metadataOf(cls)) {
    const known = most.get(propertyName) ?? 0;
    if (name === 'isArray') most.set(propertyName, Math.max(known, MAX_ITEMS));
    if (name === 'arrayMaxSize') most.set(propertyName, constraints[0] as number);
  }
  return most;
});

/**
 * Returns what a DTO class has no place for, judging by the parsed body alone: undeclared members, arrays where none is
 * declared, and arrays that are too long or contain arrays, which no DTO class allows.
 */
export function shapeFaults(cls: Class, body: JsonObject): Fault[] {
  const names = declaredNames(cls);
  return Object.keys(body).flatMap((name): Fault[] => {
    const value = body[name];
    const path = [name];
    if (!names.has(name)) return [{ path, code: 'unknown_field', detail: `Unknown field "${name}".` }];
    if (!Array.isArray(value)) return [];
    const most = mostItems(cls).get(name) ?? 0;
    if (most === 0) return [{ path, code: 'invalid_type', detail: `${name} must not be an array` }];
    if (value.length > most) {
      return [{ path, code: 'too_long', detail: `${name} must contain no more than ${most} elements` }];
    }
    const nested = value.findIndex((element) => Array.isArray(element));
    if (nested === -1) return [];
    return [{ path: [name, nested], code: 'invalid_type', detail: `${name} must not contain arrays` }];
  });
}

/** Returns all constraints violated by an instance and its nested instances. Async validators are not run. */
export function constraintFaults(instance: object): Fault[] {
  return flatten(validateSync(instance, { forbidUnknownValues: false }), []);
}

function flatten(errors: ValidationError[], path: Path): Fault[] {
  return errors.flatMap((error) => {
    const here = [...path, error.property];
    const broken = Object.entries(error.constraints ?? {});
    // Bounds on a value of the wrong type are reported by its type: "must be an integer", not "must be at most 10".
    broken.sort(([a], [b]) => Number(isTypeConstraint(b)) - Number(isTypeConstraint(a)));
    const own = broken.flatMap(([constraint, message]) => valueFaults(error, constraint, message, here));
    return [...mostTelling(own), ...flatten(error.children ?? [], here)];
  });
}

function valueFaults(error: ValidationError, constraint: string, message: string, path: Path): Fault[] {
  const context = error.contexts?.[constraint] as { code?: FieldErrorCode } | undefined;
  const fault = (value: unknown, at: Path, isElement: boolean): Fault => {
    // A null element is present, so it has the wrong type rather than being required.
    const derived = isElement && value === null ? 'invalid_type' : codeOfConstraint(constraint, value, message);
    const code = context?.code ?? derived;
    return { path: at, code, detail: code === 'required' ? `${error.property} is required` : message };
  };
  const elements = failingElements(error, constraint);
  if (elements.length === 0) return [fault(error.value, path, Array.isArray(error.target))];
  return elements.map(([index, element]) => fault(element, [...path, index], true));
}

/** Selects the errors to report for each value, in linear time, because an array may have 100,000 invalid elements. */
function mostTelling(all: readonly Fault[]): Fault[] {
  const places = new Map<string, Fault[]>();
  for (const fault of all) {
    const pointer = jsonPointer(fault.path);
    const rivals = places.get(pointer);
    if (rivals) rivals.push(fault);
    else places.set(pointer, [fault]);
  }
  return [...places.values()].flatMap(mostTellingOfOne);
}

/** A missing or mistyped value violates all its other rules too, so only the first such error is reported. */
function mostTellingOfOne(rivals: readonly Fault[]): Fault[] {
  const decisive = ['required', 'invalid_type'].map((code) => rivals.find((one) => one.code === code)).find(Boolean);
  return decisive ? [decisive] : rivals.filter((fault) => fault === rivals.find((one) => one.code === fault.code));
}

/** Returns the elements that violate a constraint with `each`, which class-validator reports for the whole array. */
function failingElements(error: ValidationError, constraint: string): [number, unknown][] {
  const { target, property } = error;
  const value: unknown = error.value;
  if (!Array.isArray(value) || !target) return [];
  const elements = [...value.entries()] as [number, unknown][];
  for (const metadata of metadataOf(target.constructor as Class)) {
    if (metadata.propertyName !== property || !metadata.each) continue;
    for (const { name, instance } of getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls)) {
      if (name !== constraint) continue;
      const args = {
        targetName: '',
        property,
        object: target,
        value: value as unknown,
        constraints: metadata.constraints,
      };
      return elements.filter(([, element]) => !instance.validate(element, args));
    }
  }
  return [];
}

/**
 * Compares what class-transformer created with its source. Reports members that a DTO class does not declare, because
 * both libraries miss those named like a method of Object (`toString`). Restores free-form values as they were sent,
 * because class-transformer drops such members from them.
 */
export function unknownFaults(raw: unknown, made: unknown, path: Path = []): Fault[] {
  if (Array.isArray(raw) && Array.isArray(made)) {
    const holder = made as unknown as Record<string, unknown>;
    return raw.flatMap((element, index) => restore(holder, String(index), element, [...path, index]));
  }
  if (!isJsonObject(raw) || !isJsonObject(made)) return [];
  const names = declaredNames(made.constructor as unknown as Class);
  return Object.keys(raw).flatMap((name) => {
    const below = [...path, name];
    if (!names.has(name)) return [{ path: below, code: 'unknown_field', detail: `Unknown field "${name}".` }];
    return restore(made, name, raw[name], below);
  });
}

function restore(holder: Record<string, unknown>, key: string, raw: unknown, path: Path): Fault[] {
  const made = holder[key];
  if (isJsonObject(made) && made.constructor === Object) {
    holder[key] = raw;
    return [];
  }
  return unknownFaults(raw, made, path);
}
