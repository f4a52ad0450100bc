import { type JsonObject } from '../body/json.js';
import { validationFailed } from '../problems/problem.js';

/** Returns a definition sent to `key:<key>` with that key, which the body may omit. @throws 422 if the keys differ */
export function withItemKey(body: JsonObject, key: string): JsonObject {
  if (body.key != null && body.key !== key) {
    const detail = 'The key differs from the one in the path. To change a key, use PATCH, or PUT with the id.';
    throw validationFailed([{ pointer: '/key', code: 'invalid_value', detail }]);
  }
  return { ...body, key };
}
