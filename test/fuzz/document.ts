import { type OpenAPIObject } from '@nestjs/swagger';
import { type Scope } from '../../src/http/auth/principal.js';

/** A node of JSON Schema. */
export type Schema = Record<string, unknown>;

export interface Parameter {
  name: string;
  schema: Schema;
}

/** One operation of the OpenAPI document, as the fuzzer needs it. */
export interface Operation {
  /** `GET /v1/monitors/{id}` */
  name: string;
  method: string;
  template: string;
  /** The required scope; `null` if no key is required. */
  scope: Scope | null;
  /** The variables of the path, each with the template before it as its kind: `/v1/monitors` for `{id}`. */
  variables: readonly { name: string; kind: string; schema: Schema }[];
  query: readonly Parameter[];
  /** Request headers, in lower case. */
  headers: ReadonlySet<string>;
  body: { required: boolean; schema: Schema; mediaTypes: readonly string[]; examples: readonly unknown[] } | null;
  /** The documented statuses, each with the problem codes of its examples and its header names in lower case. */
  responses: ReadonlyMap<number, { codes: readonly string[]; headers: ReadonlySet<string> }>;
}

interface Content {
  schema?: Schema;
  examples?: Record<string, { value?: unknown }>;
}
interface RawParameter {
  name: string;
  in: string;
  schema?: Schema;
}
interface RawOperation {
  security?: Record<string, string[]>[];
  parameters?: RawParameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content>; headers?: Record<string, unknown> }>;
}

/** The operation of a path and a method. */
export interface Route {
  /** `null` if the path is not documented, or not with this method. */
  operation: Operation | null;
  /** The methods of the path; empty if the path does not exist. */
  methods: readonly string[];
  /** The decoded values of the path's variables. */
  values: Readonly<Record<string, string>>;
}

/**
 * The operations of the document, and its schemas. Excludes streams, which do not end, and reports of jobs, which follow
 * the conventions of other services.
 */
export class ApiDocument {
  readonly operations: readonly Operation[];
  private readonly patterns: readonly { template: string; pattern: RegExp }[];

  constructor(private readonly document: OpenAPIObject) {
    const templates = Object.keys(document.paths);
    this.operations = templates.flatMap((template) =>
      Object.entries(document.paths[template] as Record<string, RawOperation>).flatMap(([method, raw]) =>
        isStream(raw) || isReport(template)
          ? []
          : operationOf(method.toUpperCase(), template, { ...raw, parameters: this.parametersOf(raw) }),
      ),
    );
    const literal = (template: string): number => template.replace(/\{[^}]+\}/g, '').length;
    const variables = (template: string): number => template.split('{').length;
    this.patterns = templates
      .sort((a, b) => variables(a) - variables(b) || literal(b) - literal(a))
      .map((template) => ({ template, pattern: patternOf(template) }));
  }

  /** Returns the route of a request; `path` as sent, without the query. */
  route(method: string, path: string): Route {
    const matches = this.patterns.filter(({ pattern }) => pattern.test(path));
    const named = method === 'HEAD' ? 'GET' : method;
    const all = this.operations.filter(({ template }) => matches.some((one) => one.template === template));
    const methods = [...new Set(all.map((one) => one.method))];
    for (const { template, pattern } of matches) {
      const operation = all.find((one) => one.template === template && one.method === named);
      if (operation) return { operation, methods, values: decoded(pattern.exec(path)?.groups ?? {}) };
    }
    return { operation: null, methods, values: {} };
  }

  /** Returns the schema to which a reference points; any other schema unchanged. */
  resolve(schema: Schema): Schema {
    const { $ref: reference } = schema;
    if (typeof reference !== 'string') return schema;
    const name = reference.replace('#/components/schemas/', '');
    return this.resolve((this.document.components?.schemas?.[name] ?? {}) as Schema);
  }

  private parametersOf({ parameters = [] }: RawOperation): RawParameter[] {
    return parameters.map((one) => {
      const { $ref: reference } = one as unknown as Schema;
      if (typeof reference !== 'string') return one;
      const name = reference.replace('#/components/parameters/', '');
      return this.document.components?.parameters?.[name] as unknown as RawParameter;
    });
  }

  /** Returns whether the template is a collection of items of a team, such as `/v1/monitors`. */
  isKind(template: string): boolean {
    return (
      !isShared(template) && this.operations.some(({ variables }) => variables.some(({ kind }) => kind === template))
    );
  }
}

/** Returns whether a collection belongs to the instance: every team reads the same items, and no request changes them. */
export function isShared(template: string): boolean {
  return template === '/v1/locations';
}

function isReport(template: string): boolean {
  return template.startsWith('/ping/') || template.startsWith('/api/push/');
}

function isStream({ responses }: RawOperation): boolean {
  return Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);
}

function operationOf(method: string, template: string, raw: RawOperation): Operation {
  const parameters = raw.parameters ?? [];
  const schemaOf = (name: string): Schema => parameters.find((one) => one.name === name)?.schema ?? {};
  const media = Object.entries(raw.requestBody?.content ?? {});
  const [bearer] = (raw.security ?? []).flatMap((one) => one.bearer ?? []);
  return {
    name: `${method} ${template}`,
    method,
    template,
    scope: (raw.security ?? []).length === 0 ? null : ((bearer ?? 'admin') as Scope),
    variables: [...template.matchAll(/\{(\w+)\}/g)].map(({ 1: name = '', index }) => ({
      name,
      kind: template.slice(0, index).replace(/\/$/, ''),
      schema: schemaOf(name),
    })),
    query: parameters.flatMap(({ name, in: place, schema = {} }) => (place === 'query' ? [{ name, schema }] : [])),
    headers: new Set(parameters.flatMap(({ name, in: place }) => (place === 'header' ? [name.toLowerCase()] : []))),
    body: media[0]
      ? {
          required: raw.requestBody?.required ?? false,
          schema: media[0][1].schema ?? {},
          mediaTypes: media.map(([type]) => type),
          examples: Object.values(media[0][1].examples ?? {}).map(({ value }) => value),
        }
      : null,
    responses: new Map(
      Object.entries(raw.responses).map(([status, { content, headers }]) => [
        Number(status),
        {
          codes: Object.values(content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {})),
          headers: new Set(Object.keys(headers ?? {}).map((name) => name.toLowerCase())),
        },
      ]),
    ),
  };
}

/** Returns a pattern that matches like the router: case-insensitively, with or without a trailing slash. */
function patternOf(template: string): RegExp {
  const source = template.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}/?$`, 'i');
}

function decoded(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decode(text) ?? text]));
}

/** Percent-decodes a text. Returns `null` if it is malformed. */
export function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
