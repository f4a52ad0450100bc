import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

const NEWLINE = 0x0a;
/** Far above any row of ours: what has no end of line must not fill the memory. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** A file that is no backup, or one that was cut off or changed. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/**
 * Writes lines, each ended by a newline, as a gzip file that ends with the SHA-256 of them all. The file appears under
 * its name complete and on the disk, replacing an earlier one, or not at all.
 *
 * @param chunks whole lines, any number at a time
 */
export async function writeArchive(file: string, chunks: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  const draft = `${file}.draft-${process.pid}`;
  // Keys are hashed and secrets sealed in it, names and addresses are not: it is for its owner alone.
  const output = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(sealed(chunks), createGzip(), output, { signal });
    await rename(draft, file);
    const folder = await open(dirname(file));
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(draft, { force: true });
    throw signal.aborted ? signal.reason : error;
  }
}

async function* sealed(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  yield `${JSON.stringify({ sha256: hash.digest('hex') })}\n`;
}

/** The lines of an archive, without the seal. @throws ArchiveError, at the end at the latest, where one is not whole. */
export async function* readArchive(file: string): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let last: Buffer | null = null;
  for await (const line of splitLines(unzipped(file))) {
    if (last) {
      hash.update(last).update('\n');
      yield last.toString();
    }
    last = line;
  }
  const seal = JSON.stringify({ sha256: hash.digest('hex') });
  if (last?.toString() !== seal) throw new ArchiveError(`${file} is not whole: it was cut off or changed.`);
}

async function* unzipped(file: string): AsyncGenerator<Buffer> {
  const input = createReadStream(file);
  const gunzip = createGunzip();
  input.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of input.pipe(gunzip)) yield chunk as Buffer;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw new ArchiveError(`${file} is not whole: it was cut off.`, { cause: error });
    if (code?.startsWith('Z_')) throw new ArchiveError(`${file} is no backup, or was changed.`, { cause: error });
    throw error;
  } finally {
    input.destroy();
  }
}

/** Splits at line feeds alone: `readline` also does at separators that may stand within a text. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      length = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES) throw new ArchiveError('The file is no backup: a line has no end.');
  }
  if (length > 0) yield Buffer.concat(parts);
}
