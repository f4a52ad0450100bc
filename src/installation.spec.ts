import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

describe('the installation', () => {
  it('switches off the telemetry of dependencies', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { scarfSettings?: { enabled?: boolean } };
    expect(manifest.scarfSettings).toEqual({ enabled: false });
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
