import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { FIELD_ERROR_CODES } from '../src/domain/field-error-codes.js';
import { PROBLEM_CODES } from '../src/http/problems/problem-codes.js';
import { PROBES } from '../src/probes/index.js';
import { sharedApp, type TestApp } from './support/app.js';
import { operationsOf, propertiesOf } from './support/documented.js';
import { ROUTE_ROWS } from './support/route-rows.js';

type Node = Record<string, unknown>;

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

/** The schemas that answers consist of, by following references from the responses. */
function answered(): Set<string> {
  const found = new Set<string>();
  const follow = (node: unknown): void => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      follow(app.document.components?.schemas?.[name]);
    }
  };
  for (const { responses } of operationsOf(app.document)) follow(responses);
  return found;
}

/** Every pattern, with what its schema shows as examples. */
function patternsIn(node: unknown): { pattern: string; samples: string[] }[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap(patternsIn);
  const { pattern, example, examples } = node as { pattern?: unknown; example?: unknown; examples?: unknown };
  if (typeof pattern !== 'string') return below;
  const shown = [example, ...(Array.isArray(examples) ? (examples as unknown[]) : [])];
  return [{ pattern, samples: shown.filter((one): one is string => typeof one === 'string') }, ...below];
}

describe('the OpenAPI document', () => {
  it('is served as JSON and as YAML, both the same, and as a page', async () => {
    const client = app.undocumented();
    const json = await client.call<Node>('GET', '/docs/openapi.json');
    const yaml = await client.call<string>('GET', '/docs/openapi.yaml');
    expect(parse(yaml.body)).toEqual(json.body);
    expect(json.body.openapi).toBe('3.1.0');
    const page = await client.call<string>('GET', '/docs');
    expect(page.body).toContain('Daywatch API');
    expect(page.body).not.toMatch(/(src|href)="https?:/);
    const problems = await client.call<string>('GET', '/docs/problems');
    for (const code of PROBLEM_CODES) expect(problems.body).toContain(`id="${code}"`);
  });

  it('speaks JSON Schema: nothing of 3.0 is left', () => {
    expect(JSON.stringify(app.document)).not.toContain('"nullable"');
  });

  it('has an operation id of its own, a short summary, a description and a documented tag for each operation', () => {
    const operations = operationsOf(app.document);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const known = app.document.tags?.map(({ name }) => name);
    for (const { method, path, summary, description, tags } of operations) {
      expect({ method, path, summary, description }).toEqual({
        ...{ method, path },
        ...{ summary: expect.stringMatching(/^.{5,120}$/), description: expect.stringMatching(/\w/) },
      });
      expect(tags).toHaveLength(1);
      expect(known).toContain(tags[0]);
    }
  });

  it('names operations by a verb and what it is done to, and schemas by what they are', () => {
    const ids = operationsOf(app.document).map(({ operationId }) => operationId);
    const verbs = 'list|create|get|put|update|delete|revoke|rotate|request|test|acknowledge|add|start|end|pause|resume';
    for (const id of ids) expect(id).toMatch(new RegExp(`^(${verbs})[A-Z]\\w+$`));
    const names = Object.keys(app.document.components?.schemas ?? {});
    expect(names).toEqual(
      expect.arrayContaining(['Monitor', 'MonitorList', 'StatusPage', 'StatusPageList', 'Problem']),
    );
    for (const name of names) expect(name).not.toMatch(/Dto|PagePage/);
  });

  it('says of every operation under /v1 what scope a key needs, and that others take none', () => {
    for (const { method, path, security, description } of operationsOf(app.document)) {
      const row = ROUTE_ROWS.find((one) => one.method === method && one.path === path.replace(/\{(\w+)\}/g, ':$1'));
      expect({ method, path, security }).toEqual({ method, path, security: row ? [{ bearer: [row.scope] }] : [] });
      expect(description).toContain(
        row ? `Requires an API key with the scope \`${row.scope}\`.` : 'Requires no API key.',
      );
    }
  });

  it('has an example of each parameter, which the explorer fills in only where one is required', () => {
    for (const { method, path, parameters } of operationsOf(app.document)) {
      for (const one of parameters) {
        expect({ method, path, parameter: one.name, examples: [one.example, one.schema.examples?.[0]] }).toEqual({
          ...{ method, path, parameter: one.name },
          examples: one.required ? [expect.anything(), undefined] : [undefined, expect.anything()],
        });
      }
    }
  });

  it('has a named example of each body', () => {
    for (const { method, path, requestBody } of operationsOf(app.document)) {
      for (const [type, { examples }] of Object.entries(requestBody?.content ?? {})) {
        expect({ method, path, type, examples }).toEqual({ method, path, type, examples: expect.anything() });
      }
    }
  });

  it('says of every member of an answer that it is there: what has no value is null', () => {
    const optional = propertiesOf(app.document).filter(({ name, required }) => answered().has(name) && !required);
    expect(optional.map(({ name, property }) => `${name}.${property}`).sort()).toEqual(
      [
        'FieldError.parameter',
        'FieldError.pointer',
        // An assertion is given back as it was sent.
        ...['DnsAssertion', 'HttpAssertion', 'PingAssertion', 'TcpAssertion', 'TlsAssertion'].flatMap((name) => [
          `${name}Output.property`,
          `${name}Output.target`,
        ]),
        // It is always there, but need not be sent.
        'DnsSettingsOutput.nameserver',
        'Problem.errors',
        // With `fidelity=true` alone.
        ...['absences', 'checksExecuted', 'checksExpected', 'checksLate', 'checksMissed'].map(
          (name) => `UptimeDay.${name}`,
        ),
      ].sort(),
    );
  });

  it('leaves every list of values open in answers, and lists every code of a problem', () => {
    for (const name of answered()) {
      // Known values are one alternative, and any other string the next.
      const schema = JSON.stringify(app.document.components?.schemas?.[name]);
      const closed = schema.replaceAll(/"anyOf":\[\{"type":"string","enum":\[[^\]]*\]\},\{"type":"string"\}/g, '');
      expect({ name, closed }).toEqual({ name, closed: expect.not.stringContaining('"enum"') });
    }
    const codesOf = (name: string): unknown =>
      (app.document.components?.schemas?.[name] as { properties: { code: Node } }).properties.code['x-extensible-enum'];
    expect(codesOf('Problem')).toEqual(PROBLEM_CODES);
    expect(codesOf('FieldError')).toEqual(FIELD_ERROR_CODES);
  });

  it('knows whole numbers, times and ids', () => {
    const typeOf = (schema: Node): unknown => [schema.type].flat()[0];
    for (const { name, property, schema } of propertiesOf(app.document)) {
      const at = `${name}.${property}`;
      const isTime = /At$|^until$|Until$|Since$|^since$/.test(property) && typeOf(schema) === 'string';
      if (isTime) expect({ at, format: schema.format }).toEqual({ at, format: 'date-time' });
      if (
        /^(id|monitorId)$/.test(property) &&
        !/^(Check|TrialCheck|RequestedCheck|WriteComponent|ComponentDefinition)$/.test(name)
      ) {
        expect({ at, format: schema.format }).toEqual({ at, format: 'uuid' });
      }
      if (/revision|Count$|^checks[A-Z]|^attempt$|statusCode$|Days$|^port$|Threshold$/i.test(property)) {
        if (['null', 'array'].includes(typeOf(schema) as string)) continue;
        expect({ at, type: typeOf(schema) }).toEqual({ at, type: 'integer' });
      }
    }
  });

  it('publishes patterns that mean the same to every client, whether it compiles them with the u flag or without', () => {
    const patterns = patternsIn(app.document);
    expect(patterns.length).toBeGreaterThan(5);
    const characters = [...Array(0x300).keys(), 0x2028, 0xfffd, 0x1f600].map((one) => String.fromCodePoint(one));
    for (const { pattern, samples } of patterns) {
      const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')];
      for (const text of [...samples, ...characters, ...samples.flatMap((one) => characters.map((c) => one + c))]) {
        expect({ pattern, text, matches: unicode.test(text) }).toEqual({ pattern, text, matches: plain.test(text) });
      }
    }
  });

  it('describes each monitor type by its own fields', () => {
    const create = app.document.components?.schemas?.MonitorCreate as Node;
    const types = Object.keys((create.discriminator as { mapping: Node }).mapping);
    expect(types).toEqual(PROBES.map(({ type }) => type));
    expect(types.sort()).toEqual(['dns', 'http', 'ping', 'tcp', 'tls']);
    const http = app.document.components?.schemas?.HttpMonitorCreate as { required: string[]; properties: Node };
    expect(http.required.sort()).toEqual(['name', 'type', 'url']);
    expect(http.properties.port).toEqual({ type: 'null' });
  });

  it('holds no secret and no address of this installation', () => {
    const text = JSON.stringify(app.document);
    for (const secret of [app.teams.ours.admin, app.origin, app.teams.ours.id]) expect(text).not.toContain(secret);
  });
});
