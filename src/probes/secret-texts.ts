import { SHOWN_CHARACTERS } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { MASK } from '../domain/mask.js';
import { valueAt } from '../domain/secret-members.js';
import { basicAuthorization } from './http/credentials.js';
import { type ProbeDefinition } from './probe.js';

/** Shorter secrets are part of too many other texts. */
const MIN_SECRET_LENGTH = 6;
/** The shortest beginning of a secret that is masked where a text was cut. */
const MIN_PART_LENGTH = 3;
const USERNAMES: Readonly<Record<string, string>> = { password: 'username', proxyPassword: 'proxyUsername' };

/**
 * Returns an outcome in which the values that assertions observed do not contain the secrets of the definition: a target
 * may echo what it was sent. Secrets of fewer than six characters are not recognised.
 */
export function withoutSecrets<F extends object>(
  probe: ProbeDefinition<F>,
  fields: F,
  outcome: ProbeOutcome,
): ProbeOutcome {
  const { error, failedAssertions } = outcome;
  if (failedAssertions.length === 0 && error?.code !== 'assertion_failed') return outcome;
  const secrets = secretTexts(probe, fields);
  if (secrets.length === 0) return outcome;
  return {
    ...outcome,
    error:
      error?.code === 'assertion_failed' ? { code: error.code, message: concealed(error.message, secrets) } : error,
    failedAssertions: failedAssertions.map(({ index, actual }) => ({
      index,
      actual: typeof actual === 'string' ? concealed(actual, secrets) : actual,
    })),
  };
}

/** Returns the forms in which a target receives the secrets of a definition, the longest first. */
function secretTexts<F extends object>(probe: ProbeDefinition<F>, fields: F): string[] {
  const texts = probe.secretPaths(fields).flatMap((path) => {
    const secret = valueAt(fields, path);
    if (typeof secret !== 'string') return [];
    const username = valueAt(fields, path.with(-1, USERNAMES[path.at(-1)!] ?? ''));
    const basic = typeof username === 'string' ? basicAuthorization(username, secret) : '';
    // A target may return the credentials of an `Authorization` header without their scheme.
    return [secret, basic].flatMap((text) => [text, text.replace(/^\w+ +/, '')]).flatMap(withEncoded);
  });
  return [...new Set(texts)]
    .filter((text) => text.length >= MIN_SECRET_LENGTH)
    .sort((one, other) => other.length - one.length);
}

function withEncoded(text: string): string[] {
  return [text, encodeURIComponent(text)];
}

function concealed(text: string, secrets: readonly string[]): string {
  const shown = secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
  return text.length < SHOWN_CHARACTERS - 1 ? shown : withoutBeginning(shown, secrets);
}

/** Masks the beginning of a secret at the end of a text that may have been cut. */
function withoutBeginning(text: string, secrets: readonly string[]): string {
  const end = text.endsWith('…') ? '…' : '';
  const kept = text.slice(0, text.length - end.length);
  const lengths = secrets.map((secret) => {
    for (let length = Math.min(secret.length - 1, kept.length); length >= MIN_PART_LENGTH; length -= 1) {
      if (kept.endsWith(secret.slice(0, length))) return length;
    }
    return 0;
  });
  const longest = Math.max(...lengths);
  return longest === 0 ? text : `${kept.slice(0, -longest)}${MASK}${end}`;
}
