import { FunctionExpressionType, JSONPathEnvironment, JSONPathQuery, jsonpath, type JSONValue } from 'json-p3';
import { remembering } from './memo.js';
import { findsPattern, type Limiter, matchesWhole, patternProblem } from './text-pattern.js';

/**
 * JSONPath (RFC 9535) over untrusted documents. The library is complete but unbounded: its `match` and `search` use
 * backtracking regular expressions, and a short path can take exponential time. This module runs regular expressions in
 * linear time, refuses paths that take exponential time, and limits the number of nodes that a query visits.
 */
export const MAX_PATH_LENGTH = 500;
const MAX_VISITED_NODES = 1_000_000;
const MAX_DEPTH = 100;
const MAX_SELECTIONS = 16;
const MAX_FOUND_VALUES = 10_000;
const CACHED_QUERIES = 500;

const { FunctionExtension, RootQuery, StringLiteral } = jsonpath.expressions;
const environment = new JSONPathEnvironment();
let visitsLeft = 0;

// The library reads this property at each node of a descent, so this is the only place where visits can be counted.
Object.defineProperty(environment, 'maxRecursionDepth', { get: () => (visitsLeft-- > 0 ? MAX_DEPTH : 0) });
for (const [name, test] of Object.entries({ match: matchesWhole, search: findsPattern })) {
  environment.functionRegister.set(name, {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call: (text: unknown, pattern: unknown) => typeof text === 'string' && test(pattern as string, text),
  });
}

/** Returns what is wrong with a JSONPath, in words for its author, or `null`. `limited` may bound how long it takes. */
export function jsonPathProblem(path: string, limited: Limiter = (work) => work()): string | null {
  if (path.length > MAX_PATH_LENGTH) return `is longer than ${MAX_PATH_LENGTH} characters`;
  try {
    limited(() => parse(path));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'is not a JSONPath';
  }
}

/**
 * Returns the values that the path selects, at most 10,000. Throws if the path is invalid or the document is too deep
 * or too large.
 */
export function queryJson(path: string, document: unknown): unknown[] {
  const query = compile(path);
  const found: unknown[] = [];
  visitsLeft = MAX_VISITED_NODES;
  for (const node of query.lazyQuery(document as JSONValue)) {
    found.push(node.value);
    if (found.length === MAX_FOUND_VALUES) break;
  }
  return found;
}

/** Returns whether the path consists only of names and indices, which makes it cheap to follow. False if invalid. */
export function selectsOneNode(path: string): boolean {
  try {
    return compile(path).singularQuery();
  } catch {
    return false;
  }
}

const compile = remembering(parse, CACHED_QUERIES);
/** Empties the cache. Must be called when a query was interrupted, which may have been changing it. */
export const forgetPaths = compile.forget;

function parse(path: string): JSONPathQuery {
  const query = environment.compile(path);
  if (selectionsOf(query) > MAX_SELECTIONS) throw new Error('the JSONPath combines too many selectors');
  return query;
}

/** Returns how often a query may reach the same node: the product over its segments. Throws if no product bounds it. */
function selectionsOf(query: JSONPathQuery): number {
  let product = 1;
  for (const { selectors } of query.segments) {
    product *= selectors.length;
    for (const inner of selectors.flatMap(queriesWithin)) product *= selectionsOf(inner);
  }
  return product;
}

/** Returns the queries nested in a filter. Walks the parsed expression, whose parts are plain members of each other. */
function queriesWithin(part: unknown): JSONPathQuery[] {
  if (typeof part !== 'object' || part === null) return [];
  if (part instanceof JSONPathQuery) return [part];
  if (part instanceof RootQuery && !part.path.singularQuery()) {
    throw new Error('a query of the whole document inside a filter must select a single node');
  }
  if (part instanceof FunctionExtension && (part.name === 'match' || part.name === 'search')) {
    const pattern = part.args[1];
    if (!(pattern instanceof StringLiteral)) throw new Error(`the pattern of ${part.name}() must be a string literal`);
    const problem = patternProblem(pattern.value);
    if (problem) throw new Error(problem);
  }
  return Object.entries(part).flatMap(([name, member]) => {
    return name === 'environment' || name === 'token' ? [] : queriesWithin(member);
  });
}
