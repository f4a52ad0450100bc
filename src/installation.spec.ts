import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

describe('the installation', () => {
  it('switches off the telemetry of dependencies', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { scarfSettings?: { enabled?: boolean } };
    expect(manifest.scarfSettings).toEqual({ enabled: false });
  });
});

describe('docs/architecture.md', () => {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const foldersIn = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

  it('names every folder of the source and every module', () => {
    const [, tree] = /```\nsrc\/\n([\s\S]*?)\ntest\//.exec(text)!;
    const named = [...tree!.matchAll(/[a-z-]+(?=\/)/g)].map(([name]) => name);
    expect(named.toSorted()).toEqual(foldersIn('src').sort());
    const [, modules] = tree!.split('modules/\n');
    const listed = modules!.split('\n').flatMap((line) => line.trim().split(/ {2,}/)[0]!.split(' '));
    expect(listed.toSorted()).toEqual(foldersIn('src/modules').sort());
  });

  it('names every table once', () => {
    const entities = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith('.entity.ts'),
    );
    const tables = entities.map((one) => /@Entity\('(\w+)'/.exec(readFileSync(join('src', one), 'utf8'))![1]!);
    const rows = text.slice(text.indexOf('| Table | Content |')).matchAll(/^\| (`.*?) \|/gm);
    const named = [...rows].flatMap(([, names]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(named.toSorted()).toEqual(tables.sort());
  });
});

describe('the image', () => {
  const [stage = ''] = readFileSync('Dockerfile', 'utf8')
    .split(/^FROM /m)
    .slice(-1);
  const lines = stage.split('\n');
  const lineOf = (pattern: RegExp): number => lines.findIndex((line) => pattern.test(line));

  it('is not built anew from its packages on when only the source changes', () => {
    const source = lineOf(/^COPY .*dist/);
    expect(source).toBeGreaterThan(0);
    for (const earlier of [/apt-get install/, /install --directory .*\/data$/]) {
      expect(lineOf(earlier)).toBeGreaterThan(-1);
      expect(lineOf(earlier)).toBeLessThan(source);
    }
  });
});
