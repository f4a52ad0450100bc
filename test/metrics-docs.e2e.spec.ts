import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { startApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type Family, type Scrape } from './support/exposition.js';
import { METRICS_TOKEN, scrape } from './support/metrics.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { readQuery, unmatched } from './support/promql.js';
import { startTarget, type Target } from './support/target.js';

/** Labels that Prometheus itself adds. */
const TARGET_LABELS = ['instance', 'job'];
/** The fields of an alerting rule that the documentation uses. */
const RULE_FIELDS = ['alert', 'expr', 'for', 'labels', 'annotations'];

const doc = (path: string): Promise<string> => readFile(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');

let app: TestApp;
let target: Target;
let figures: Scrape;
beforeAll(async () => {
  const settings = { METRICS_TOKEN, METRICS_PORT: '0', METRICS_PER_MONITOR: 'true', ALLOW_PRIVATE_TARGETS: 'true' };
  [app, target] = await Promise.all([startApp(settings), startTarget()]);
  const url = target.url('/').replace('127.0.0.1', 'localhost');
  await createMonitor(app.api(app.teams.ours.write), { ...httpMonitor(url), key: 'home' });
  expect(await fetch(`${app.origin}/ping/unknown`)).toMatchObject({ status: 404 });
  figures = await eventually(async () => {
    const seen = await scrape(app);
    expect(seen.samples('probe_dns_lookup_time_seconds')).toHaveLength(1);
    expect(seen.samples('daywatch_http_request_duration_seconds_count')).not.toEqual([]);
    expect(seen.samples('daywatch_workers_busy_ratio')).not.toEqual([]);
    return seen;
  });
});
afterAll(async () => {
  await app.close();
  await target.close();
});

/** Returns the metric family of a name in a query. */
function familyOf(metric: string): Family | undefined {
  const family = figures.families.get(metric);
  if (family) return family.type === 'histogram' ? undefined : family;
  const whole = figures.families.get(metric.replace(/_(bucket|sum|count)$/, ''));
  return whole?.type === 'histogram' ? whole : undefined;
}

/** Fails if a query refers to a metric or a label that does not exist in a scrape, or compares different labels. */
function expectAnswerable(expression: string): void {
  const { selectors, groupings } = readQuery(expression);
  expect(selectors).not.toEqual([]);
  const labelsOf = ({ name, type }: Family): string[] => [
    ...figures.labelsOf(name),
    ...TARGET_LABELS,
    ...(type === 'histogram' ? ['le'] : []),
  ];
  const families = selectors.map(({ metric, labels }) => {
    const family = familyOf(metric);
    expect({ expression, metric, found: family !== undefined }).toEqual({ expression, metric, found: true });
    for (const label of labels) expect(labelsOf(family!)).toContain(label);
    return family!;
  });
  for (const label of groupings) expect(families.flatMap(labelsOf)).toContain(label);
  expect(unmatched(expression, (metric) => labelsOf(familyOf(metric)!))).toEqual([]);
}

describe('docs/metrics.md', () => {
  const rows = async (): Promise<{ name: string; type: string; unit: string; labels: string[] }[]> =>
    [...(await doc('metrics.md')).matchAll(/^\| `(\w+)` \| (counter|gauge|histogram) \| ([^|]+) \| ([^|]*)\|/gm)].map(
      ([, name, type, unit, labels]) => ({
        name: name!,
        type: type!,
        unit: unit!,
        labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!).sort(),
      }),
    );

  it('lists exactly the exported metrics with their types and labels', async () => {
    const documented = await rows();
    for (const { name, type, labels } of documented) {
      expect({ name, type: figures.families.get(name)?.type, labels: figures.labelsOf(name) }).toEqual({
        name,
        type,
        labels,
      });
    }
    const ours = [...figures.families.keys()].filter((name) => /^(daywatch|probe)_/.test(name));
    expect(
      documented
        .map(({ name }) => name)
        .filter((name) => /^(daywatch|probe)_/.test(name))
        .sort(),
    ).toEqual(ours.sort());
  });

  it('lists names that follow the conventions: base unit as suffix, `_total` for counters only', async () => {
    for (const { name, type, unit } of await rows()) {
      expect({ name, isCounter: name.endsWith('_total') }).toEqual({ name, isCounter: type === 'counter' });
      if (['seconds', 'bytes'].includes(unit)) {
        // As in other exporters, some names have a qualifier after the unit.
        expect(name).toMatch(new RegExp(`_${unit}(_total)?$|^nodejs_|_${unit}_`));
      }
    }
  });

  interface Rule {
    alert: string;
    expr: string;
    for?: string;
    labels?: Record<string, unknown>;
    annotations?: Record<string, unknown>;
  }
  const alerts = async (): Promise<Rule[]> => {
    const blocks = [...(await doc('metrics.md')).matchAll(/```yaml\n(groups:[\s\S]*?)```/g)].map(([, text]) => text!);
    const rules = blocks.flatMap((text) =>
      (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules),
    );
    expect(rules.length).toBeGreaterThan(5);
    return rules;
  };

  it('contains only alerts on existing metrics and labels', async () => {
    for (const { expr } of await alerts()) expectAnswerable(expr);
  });

  it('contains only alerts that Prometheus accepts: names, durations, and texts as labels and annotations', async () => {
    const rules = await alerts();
    for (const rule of rules) {
      expect(Object.keys(rule).filter((name) => !RULE_FIELDS.includes(name))).toEqual([]);
      expect(rule).toMatchObject({ alert: expect.stringMatching(/^\w+$/), expr: expect.stringMatching(/\S/) });
      if (rule.for !== undefined) expect(rule.for).toMatch(/^(\d+(ms|[smhdwy]))+$/);
      expect(rule.annotations).toEqual(expect.objectContaining({ summary: expect.any(String) }));
      // In a flow mapping, an unquoted comma ends a text, and the rest becomes a name without a value.
      for (const [name, value] of Object.entries({ ...rule.labels, ...rule.annotations })) {
        expect({ alert: rule.alert, name, value }).toEqual({
          alert: rule.alert,
          name: expect.stringMatching(/^[a-zA-Z_]\w*$/),
          value: expect.any(String),
        });
      }
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it('contains an alert on shards that also fires when no process of a role is left to report them', async () => {
    const { expr } = (await alerts()).find(({ alert }) => alert === 'DaywatchShardsUnserved')!;
    for (const role of ['dispatcher', 'recorder'])
      expect(expr).toContain(`absent(daywatch_shards_held{role="${role}"})`);
  });

  it('contains an alert on targets that fires only after five minutes of failures', async () => {
    // A function over time, such as max_over_time, is satisfied by the first sample of a new series.
    expect((await alerts()).find(({ alert }) => alert === 'TargetFails')).toEqual({
      alert: 'TargetFails',
      expr: 'probe_success == 0',
      for: '5m',
      annotations: { summary: expect.stringContaining('for five minutes') },
    });
  });
});

describe('docs/grafana/daywatch.json', () => {
  interface Panel {
    id: number;
    title: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets?: { expr: string }[];
  }
  const dashboard = async () =>
    JSON.parse(await doc('grafana/daywatch.json')) as {
      panels: Panel[];
      templating: { list: { type: string; definition?: string }[] };
    };

  it('queries only existing metrics and labels', async () => {
    const { panels, templating } = await dashboard();
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(20);
    for (const expression of expressions) expectAnswerable(expression.replaceAll('$__rate_interval', '5m'));
    for (const { type, definition } of templating.list) {
      if (type !== 'query') continue;
      const [, metric] = /^label_values\((\w+), instance\)$/.exec(definition!) ?? [];
      expectAnswerable(metric!);
    }
  });

  it('shows every metric of the service', async () => {
    const { panels } = await dashboard();
    const shown = panels
      .flatMap(({ targets = [] }) =>
        targets.flatMap(({ expr }) => readQuery(expr.replaceAll('$__rate_interval', '5m')).selectors),
      )
      .map(({ metric }) => familyOf(metric)!.name);
    const ours = [...figures.families.keys()].filter((name) => /^(daywatch|probe)_/.test(name));
    expect(ours.filter((name) => !shown.includes(name))).toEqual([]);
  });

  it('has panels that neither overlap nor share an id', async () => {
    const { panels } = await dashboard();
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});
