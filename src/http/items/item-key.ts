import { type JsonObject } from '../body/json.js';
import { validationFailed } from '../problems/problem.js';

/** A definition that was sent to an address by key: the address names the key, the body need not. @throws 422 */
export function withItemKey(body: JsonObject, key: string): JsonObject {
  if (body.key != null && body.key !== key) {
    const detail = 'The address names another key. Change a key by PATCH, or by PUT to the id.';
    throw validationFailed([{ pointer: '/key', code: 'invalid_value', detail }]);
  }
  return { ...body, key };
}
