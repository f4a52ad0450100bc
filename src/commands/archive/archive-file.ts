import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

const NEWLINE = 0x0a;
/** Far above the size of any row, so that a file without line ends cannot fill the memory. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Thrown for a file that is not a backup, or one that was truncated or modified. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/**
 * Writes lines, each ended by a newline, to a gzip file that ends with the SHA-256 of all of them. The file appears
 * under its name only when it is complete and on disk, and replaces an earlier one.
 *
 * @param chunks any number of whole lines each
 */
export async function writeArchive(file: string, chunks: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  // In a container, a process that was killed may have had the same process id.
  const draft = `${file}.draft-${randomBytes(4).toString('hex')}`;
  // The file contains names and addresses in plain text, even though keys are hashed and secrets encrypted.
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

/**
 * Yields the lines of an archive without the checksum.
 * @throws ArchiveError if it is incomplete, at the end at the latest
 */
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
  if (last?.toString() !== seal) throw new ArchiveError(`${file} is incomplete or was modified.`);
}

async function* unzipped(file: string): AsyncGenerator<Buffer> {
  const input = createReadStream(file);
  const gunzip = createGunzip();
  input.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of input.pipe(gunzip)) yield chunk as Buffer;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw new ArchiveError(`${file} is incomplete: it was truncated.`, { cause: error });
    if (code?.startsWith('Z_')) throw new ArchiveError(`${file} is not a backup or was modified.`, { cause: error });
    throw error;
  } finally {
    input.destroy();
  }
}

/** Splits at line feeds only. `readline` also splits at separators that may occur within a text. */
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
    if (length > MAX_LINE_BYTES) throw new ArchiveError('The file is not a backup: a line is too long.');
  }
  if (length > 0) yield Buffer.concat(parts);
}
