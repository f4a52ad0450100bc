import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

interface Message {
  url: string;
  message: string;
  extract?: string;
}

/** Returns the path of the W3C's HTML checker (`vnu.jar` of the npm package `vnu-jar`, needs Java); null if not set. */
export const checkerPath = (): string | null => process.env.VNU_JAR || null;

/** Returns the errors in these documents, each once with the first document that contains it. */
export async function htmlFaults(documents: ReadonlyMap<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'daywatch-html-'));
  try {
    for (const [name, html] of documents) await writeFile(join(folder, `${name}.html`), html);
    const { stderr } = await promisify(execFile)(
      'java',
      ['-jar', checkerPath()!, '--errors-only', '--exit-zero-always', '--format', 'json', folder],
      { maxBuffer: 64 * 1_024 * 1_024 },
    );
    const { messages } = JSON.parse(stderr) as { messages: Message[] };
    const first = new Map<string, string>();
    for (const { url, message, extract = '' } of messages) {
      if (!first.has(message)) first.set(message, `${basename(url, '.html')}: ${message} ${extract}`);
    }
    return [...first.values()];
  } finally {
    await rm(folder, { recursive: true });
  }
}
