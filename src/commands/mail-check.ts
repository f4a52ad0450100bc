import { createPublicKey } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type AppConfig } from '../config/app-config.js';
import {
  dmarcNames,
  dmarcPolicies,
  type Finding,
  judgeDkim,
  judgeDmarc,
  judgeSpf,
} from '../domain/mail-authentication.js';
import { TRY_AGAIN } from '../exit-code.js';
import { within } from '../probes/deadline.js';
import { nameServerText, parseNameServer } from '../probes/dns/name-server.js';
import { questionName } from '../probes/dns/question-name.js';
import { queryRecords } from '../probes/dns/record-query.js';
import { ProbeFault } from '../probes/net/probe-fault.js';
import { runCommand, say } from './command.js';

type Verdict = Finding['verdict'] | 'unknown';
/** Returns the TXT records of a name. */
type Texts = (name: string) => Promise<string[]>;

const MAX_TIMEOUT_S = 60;
const LABELS: Readonly<Record<Verdict, string>> = {
  ok: 'OK     ',
  warning: 'WARNING',
  missing: 'FAILED ',
  unknown: 'UNKNOWN',
};

/**
 * `npm run mail:check -- --selector <name> [--server <address>] [--timeout <seconds>]`: verifies what the DNS publishes
 * about the senders of mail. Exits with 1 if something must be published, and with 75 if only the DNS did not answer.
 */
await runCommand(async (config) => {
  const { values } = parseArgs({
    options: {
      selector: { type: 'string', multiple: true, default: [] },
      server: { type: 'string' },
      timeout: { type: 'string', default: '5' },
    },
  });
  const domains = senderDomains(config);
  const texts = textsOf(serverOf(values.server), timeoutOf(values.timeout));
  const verdicts: Verdict[] = [];
  for (const domain of domains) {
    for (const [check, judge] of checksOf(domain, values.selector.map(selectorOf), texts)) {
      const { verdict, text } = await judge().catch(unknownOf);
      verdicts.push(verdict);
      say(`${LABELS[verdict]} ${check.padEnd(5)} ${domain}: ${text}`);
    }
  }
  const count = verdicts.filter((one) => one === 'missing').length;
  if (count > 0) throw new Error(count === 1 ? '1 check failed.' : `${count} checks failed.`);
  if (verdicts.includes('unknown')) process.exitCode = TRY_AGAIN;
});

/** Returns the domains of the senders, each once. */
function senderDomains(config: AppConfig): string[] {
  const senders = [config.get('MAIL_FROM'), config.get('SUBSCRIBER_MAIL_FROM')].filter((one) => one !== null);
  if (senders.length === 0) throw new Error('No sender is configured: set SMTP_URL and MAIL_FROM.');
  const domains = senders.map((sender) => {
    const text = /@([^\s<>@]+)>?$/.exec(sender)?.[1] ?? '';
    const name = questionName(text, 'TXT');
    if (name === null)
      throw new Error(`"${text}" is not a valid domain name. Correct the sender in MAIL_FROM or SUBSCRIBER_MAIL_FROM.`);
    return name;
  });
  return [...new Set(domains)];
}

function checksOf(domain: string, selectors: readonly string[], texts: Texts): [string, () => Promise<Finding>][] {
  return [
    ['SPF', async () => judgeSpf(domain, await texts(domain))],
    ['DKIM', () => findDkim(domain, selectors, texts)],
    ['DMARC', () => findDmarc(domain, texts)],
  ];
}

/** Judges the key of the only selector, or the best of several: each domain may use another one. */
async function findDkim(domain: string, selectors: readonly string[], texts: Texts): Promise<Finding> {
  if (selectors.length === 0) {
    const text =
      'Specify the selector with --selector: the value of s= in the DKIM-Signature header of an email that you sent.';
    return { verdict: 'missing', text };
  }
  const findings: Finding[] = [];
  for (const selector of selectors) {
    const name = `${selector}._domainkey.${domain}`;
    findings.push(judgeDkim(name, await texts(name), rsaBits));
  }
  const usable =
    findings.find(({ verdict }) => verdict === 'ok') ?? findings.find(({ verdict }) => verdict === 'warning');
  return usable ?? { verdict: 'missing', text: findings.map(({ text }) => text).join(' ') };
}

async function findDmarc(domain: string, texts: Texts): Promise<Finding> {
  for (const name of dmarcNames(domain)) {
    const policies = dmarcPolicies(await texts(name));
    if (policies.length > 0) return judgeDmarc(domain, name, policies);
  }
  return judgeDmarc(domain, `_dmarc.${domain}`, []);
}

function textsOf(server: string | null, timeoutMs: number): Texts {
  return (name) =>
    within(null, timeoutMs, (deadline) => queryRecords({ name, type: 'TXT' }, server, { timeoutMs, deadline }));
}

function unknownOf(error: unknown): { verdict: 'unknown'; text: string } {
  if (!(error instanceof ProbeFault)) throw error;
  return { verdict: 'unknown', text: `${error.message} Try again, or specify another server with --server.` };
}

function serverOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const server = parseNameServer(text);
  if (server === null) throw new Error('--server must be an IP address, optionally with a port (default: 53).');
  return nameServerText(server);
}

function timeoutOf(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= MAX_TIMEOUT_S)) {
    throw new Error(`--timeout must be a number of seconds, at most ${MAX_TIMEOUT_S}.`);
  }
  return seconds * 1_000;
}

function selectorOf(text: string): string {
  if (!/^[a-z\d_](?:[a-z\d_.-]{0,61}[a-z\d_])?$/i.test(text)) throw new Error(`"${text}" is not a DKIM selector.`);
  return text;
}

/** Returns the length of an RSA key in bits; null for what is not one. Keys are published in SPKI form or PKCS #1. */
function rsaBits(key: Buffer): number | null {
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key, format: 'der', type });
      if (asymmetricKeyType === 'rsa') return asymmetricKeyDetails?.modulusLength ?? null;
    } catch {
      // Not in this form.
    }
  }
  return null;
}
