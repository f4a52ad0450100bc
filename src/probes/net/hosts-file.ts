import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Returns the addresses in the text of a hosts file (`address name name … # comment`), by lower-case name. */
export function parseHostsFile(text: string): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (!isIP(address)) continue;
    for (const name of names.map((one) => one.toLowerCase())) {
      byName.set(name, [...(byName.get(name) ?? []), address]);
    }
  }
  return byName;
}

/** The hosts file at `path`, which is read again once the copy is older than `maxAgeMs`. A missing file is empty. */
export class HostsFile {
  private copy: { names: Promise<Map<string, string[]>>; readAt: number } | undefined;

  constructor(
    private readonly path = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts',
    private readonly maxAgeMs = 30_000,
  ) {}

  /** Returns the addresses by name. Never rejects. */
  names(): Promise<Map<string, string[]>> {
    const now = performance.now();
    if (!this.copy || now - this.copy.readAt > this.maxAgeMs) {
      this.copy = {
        readAt: now,
        names: readFile(this.path, 'utf8').then(parseHostsFile, () => new Map<string, string[]>()),
      };
    }
    return this.copy.names;
  }
}
