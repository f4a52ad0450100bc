/** One line of a scrape. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** A metric with all its samples. */
export interface Family {
  name: string;
  type: string;
  help: string;
  samples: Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LINE = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/y;
const NUMBER = /^(?:[+-]?Inf|NaN|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const PARTS: Record<string, readonly string[]> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
};

/**
 * Parses the text format of Prometheus strictly. Throws unless each family appears once, contiguously, after its HELP
 * and TYPE; no sample is repeated; counters are not negative; and the buckets of a histogram are cumulative and end
 * with `+Inf`, which equals its count.
 */
export class Scrape {
  readonly families = new Map<string, Family>();

  constructor(text: string) {
    if (!text.endsWith('\n')) throw new Error('the last line does not end with a line feed');
    let current: Family | null = null;
    for (const line of text.slice(0, -1).split('\n')) {
      if (line === '') continue;
      const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
      if (keyword === 'HELP') {
        if (!NAME.test(name) || this.families.has(name)) throw new Error(`invalid or repeated name: ${line}`);
        current = { name, help: rest, type: '', samples: [] };
        this.families.set(name, current);
      } else if (keyword === 'TYPE') {
        if (current?.name !== name || current.type !== '' || !(rest in PARTS)) throw new Error(`invalid TYPE: ${line}`);
        current.type = rest;
      } else {
        if (!current || current.type === '') throw new Error(`no HELP and TYPE before: ${line}`);
        current.samples.push(sampleOf(line, current));
      }
    }
    for (const family of this.families.values()) assertSound(family);
  }

  /** Returns the samples with this name and these labels. */
  samples(name: string, labels: Record<string, string> = {}): Sample[] {
    const family = this.families.get(name) ?? this.families.get(name.replace(/_(bucket|sum|count)$/, ''));
    const wanted = Object.entries(labels);
    return (family?.samples ?? []).filter(
      (one) => one.name === name && wanted.every(([label, value]) => one.labels[label] === value),
    );
  }

  /** Returns the sum of these samples; NaN if there are none. */
  value(name: string, labels: Record<string, string> = {}): number {
    const samples = this.samples(name, labels);
    return samples.length === 0 ? NaN : samples.reduce((sum, { value }) => sum + value, 0);
  }

  /** Returns the label names of a family, without the `le` of buckets. */
  labelsOf(name: string): string[] {
    const names = (this.families.get(name)?.samples ?? []).flatMap(({ labels }) => Object.keys(labels));
    return [...new Set(names)].filter((label) => label !== 'le').sort();
  }
}

function sampleOf(line: string, family: Family): Sample {
  const [, name = '', inside = '', value = ''] = LINE.exec(line) ?? [];
  const part = name.startsWith(family.name) ? name.slice(family.name.length) : null;
  if (part === null || !PARTS[family.type]!.includes(part)) throw new Error(`not a sample of ${family.name}: ${line}`);
  if (!NUMBER.test(value)) throw new Error(`not a number: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < inside.length) {
    const [, label, text] = LABEL.exec(inside) ?? [];
    if (label === undefined || label in labels) throw new Error(`invalid labels: ${line}`);
    labels[label] = text!.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
  }
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}

function assertSound({ name, type, samples }: Family): void {
  const seen = new Set<string>();
  const buckets = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le, ...others } = sample.labels;
    const series = keyOf(others);
    const key = `${sample.name}${series}${le ?? ''}`;
    if (seen.has(key)) throw new Error(`a sample of ${name} is repeated`);
    seen.add(key);
    if (type === 'counter' && !(sample.value >= 0)) throw new Error(`${name} is negative`);
    if (sample.name !== `${name}_bucket` || le === undefined) continue;
    const known = buckets.get(series);
    if (known) known.push(sample);
    else buckets.set(series, [sample]);
  }
  if (type !== 'histogram') return;
  for (const { labels, value: count } of samples.filter((sample) => sample.name === `${name}_count`)) {
    const own = buckets.get(keyOf(labels)) ?? [];
    const bounds = own.map((bucket) => Number(bucket.labels.le!.replace('Inf', 'Infinity')));
    const isSorted = bounds.every((bound, at) => at === 0 || bound > bounds[at - 1]!);
    const isCumulative = own.every(({ value }, at) => at === 0 || value >= own[at - 1]!.value);
    if (!isSorted || !isCumulative || bounds.at(-1) !== Infinity || own.at(-1)!.value !== count) {
      throw new Error(`the buckets of ${name}${keyOf(labels)} are inconsistent`);
    }
  }
}

function keyOf(labels: Sample['labels']): string {
  return JSON.stringify(Object.entries(labels).sort());
}
