import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config/app-config.js';
import { loadSecretKey } from './secret-key.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daywatch-key-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('loadSecretKey', () => {
  it('returns the stored key to each of several first starts at once, even with the same process id', async () => {
    const config = readConfig({ DATA_DIR: directory });
    const keys = await Promise.all(Array.from({ length: 10 }, () => loadSecretKey(config)));
    expect(new Set(keys).size).toBe(1);
    expect(await readFile(join(directory, 'secret-key'), 'utf8')).toBe(`${keys[0]}\n`);
    expect(await readdir(directory)).toEqual(['secret-key']);
  });
});
