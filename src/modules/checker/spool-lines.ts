import { crc32 } from 'node:zlib';
import { type CheckResult } from './check-queue.js';

const CRC_DIGITS = 8;
const NEWLINE = 0x0a;

/**
 * Returns results as lines of a segment: the CRC-32 of the JSON, a space, the JSON. Each line shows on its own whether
 * it is intact, and damage to it does not affect the next one.
 */
export function encodeLines(results: readonly CheckResult[]): Buffer {
  const lines = results.map((result) => {
    const json = JSON.stringify(result);
    return `${checksum(json)} ${json}\n`;
  });
  return Buffer.from(lines.join(''));
}

/** Returns the JSON of each intact line, and the number of bytes in lines that are incomplete or damaged. */
export function wholeLines(segment: Buffer): { texts: string[]; damagedBytes: number } {
  const texts: string[] = [];
  let damagedBytes = 0;
  for (let from = 0; from < segment.length;) {
    const newline = segment.indexOf(NEWLINE, from);
    const to = newline === -1 ? segment.length : newline;
    const text = newline === -1 ? null : contentOf(segment.subarray(from, to));
    if (text === null) damagedBytes += to - from + (newline === -1 ? 0 : 1);
    else texts.push(text);
    from = to + 1;
  }
  return { texts, damagedBytes };
}

/** Returns the results of a segment, without those of incomplete or damaged lines. */
export function decodeLines(segment: Buffer): CheckResult[] {
  return wholeLines(segment).texts.map((text) => JSON.parse(text) as CheckResult);
}

function contentOf(line: Buffer): string | null {
  const content = line.subarray(CRC_DIGITS + 1);
  const said = line.toString('latin1', 0, CRC_DIGITS + 1);
  return said === `${checksum(content)} ` ? content.toString() : null;
}

function checksum(content: string | Buffer): string {
  return crc32(content).toString(16).padStart(CRC_DIGITS, '0');
}
