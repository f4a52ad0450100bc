/** Of the text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The line feed included; what follows are its samples, all in one piece. */
export function familyHead(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): string {
  return `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}\n# TYPE ${name} ${type}\n`;
}

/** Labels as they stand between braces; those that are null are left out. */
export function labelText(labels: Record<string, string | null>): string {
  return Object.entries(labels)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}="${escaped(value!)}"`)
    .join(',');
}

function escaped(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
