/** Content type of the Prometheus text format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Returns the head of a metric family, including the last line feed. All of its samples must follow directly. */
export function familyHead(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): string {
  return `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}\n# TYPE ${name} ${type}\n`;
}

/** A sample of a metric: its labels, and its value. */
export type Sample = readonly [labels: Record<string, string>, value: number];

/** Returns a whole metric family in the text format. */
export function familyText(name: string, type: 'counter' | 'gauge', help: string, samples: Iterable<Sample>): string {
  let text = familyHead(name, type, help);
  for (const [labels, value] of samples) text += `${name}{${labelText(labels)}} ${value}\n`;
  return text;
}

/** Returns labels as written between the braces; those that are null are left out. */
export function labelText(labels: Record<string, string | null>): string {
  return Object.entries(labels)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}="${escaped(value!)}"`)
    .join(',');
}

function escaped(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
