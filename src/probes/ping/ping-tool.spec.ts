import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { echoPlan, findPingTool, pingArguments } from './ping-tool.js';

describe('findPingTool', () => {
  let folders: string[];
  beforeEach(() => {
    const root = mkdtempSync(join(tmpdir(), 'ping-tool-'));
    folders = ['first', 'second'].map((name) => join(root, name));
    for (const folder of folders) mkdirSync(folder);
  });
  afterEach(() => rmSync(join(folders[0]!, '..'), { recursive: true }));

  const install = (folder: number, name: string, mode: number): void => {
    const path = join(folders[folder]!, name);
    writeFileSync(path, '');
    chmodSync(path, mode);
  };

  it('returns null if no program is installed', () => expect(findPingTool(folders)).toBeNull());

  it('skips files that are not executable', () => {
    install(0, 'fping', 0o644);
    expect(findPingTool(folders)).toBeNull();
    install(1, 'fping', 0o755);
    expect(findPingTool(folders)).toEqual({ name: 'fping', path: join(folders[1]!, 'fping') });
  });

  it('returns ping if there is no fping, and fping as soon as it is installed', () => {
    install(0, 'ping', 0o755);
    expect(findPingTool(folders)?.name).toBe('ping');
    install(1, 'fping', 0o755);
    expect(findPingTool(folders)?.name).toBe('fping');
  });
});

describe('pingArguments', () => {
  it.each([
    ['fping', 1_500, 'linux', '-c 1 -t 1500 192.0.2.1'],
    ['fping', 99.5, 'darwin', '-c 1 -t 100 192.0.2.1'],
    ['ping', 1_500, 'linux', '-n -c 1 -W 2 192.0.2.1'],
    ['ping', 100, 'linux', '-n -c 1 -W 1 192.0.2.1'],
    ['ping', 1_500, 'darwin', '-n -c 1 -W 1500 192.0.2.1'],
  ] as const)('%s for %d ms on %s: %s', (name, waitMs, platform, expected) => {
    const tool = { name, path: `/usr/bin/${name}` };
    expect(pingArguments(tool, '192.0.2.1', echoPlan(tool, 1, waitMs), platform).join(' ')).toBe(expected);
  });

  it.each([
    ['fping', 5, 10_000, 'linux', '-c 5 -p 200 -t 9100 192.0.2.1'],
    ['fping', 10, 1_000, 'linux', '-c 10 -p 50 -t 450 192.0.2.1'],
    ['fping', 10, 200, 'linux', '-c 10 -p 10 -t 10 192.0.2.1'],
    ['fping', 10, 100, 'linux', '-c 5 -p 10 -t 10 192.0.2.1'],
    ['fping', 10, 5, 'linux', '-c 1 -t 10 192.0.2.1'],
    ['ping', 3, 5_000, 'linux', '-n -c 3 -i 0.2 -W 5 192.0.2.1'],
    ['ping', 10, 4_000, 'linux', '-n -c 10 -i 0.2 -W 3 192.0.2.1'],
    ['ping', 10, 1_500, 'linux', '-n -c 3 -i 0.2 -W 1 192.0.2.1'],
    ['ping', 10, 700, 'linux', '-n -c 1 -W 1 192.0.2.1'],
  ] as const)('%s for %d requests within %d ms on %s: %s', (name, count, leftMs, platform, expected) => {
    const tool = { name, path: `/usr/bin/${name}` };
    expect(pingArguments(tool, '192.0.2.1', echoPlan(tool, count, leftMs), platform).join(' ')).toBe(expected);
  });
});
