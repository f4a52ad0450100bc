import { describe, expect, it } from '@jest/globals';
import { dmarcNames, dmarcPolicies, type Finding, judgeDkim, judgeDmarc, judgeSpf } from './mail-authentication.js';

const finding = (verdict: Finding['verdict'], text: string) => ({ verdict, text: expect.stringContaining(text) });

describe('SPF', () => {
  it.each<[string, string[], Finding['verdict'], string]>([
    ['a policy', ['v=spf1 include:mail.test ~all'], 'ok', '"v=spf1 include:mail.test ~all"'],
    ['a policy beside other texts', ['site-verification=1', 'V=SPF1 mx -ALL'], 'ok', 'V=SPF1'],
    ['a redirect', ['v=spf1 redirect=_spf.mail.test'], 'ok', 'redirect'],
    ['none', [], 'missing', 'There is no SPF record. Publish one as a TXT record at a.test'],
    ['another version', ['v=spf10 mx -all', 'spf2.0/pra mx -all'], 'missing', 'no SPF record'],
    ['several', ['v=spf1 mx ~all', 'v=spf1 a -all'], 'missing', 'Merge them: "v=spf1 mx ~all", "v=spf1 a -all"'],
    ['a policy that permits nobody', ['v=spf1 -all'], 'missing', 'permits no server to send'],
    ['an empty policy', ['v=spf1'], 'missing', 'permits no server'],
    ['a policy that permits everybody', ['v=spf1 +all'], 'warning', 'every server'],
    ['that by default', ['v=spf1 mx all'], 'warning', 'every server'],
    ['a neutral policy', ['v=spf1 mx ?all'], 'warning', 'does not refuse'],
    ['no end', ['v=spf1 mx'], 'warning', 'does not refuse'],
  ])('%s', (_, records, verdict, text) => {
    expect(judgeSpf('a.test', records)).toEqual(finding(verdict, text));
  });
});

describe('DKIM', () => {
  const key = Buffer.from('any key').toString('base64');
  const ed25519 = Buffer.alloc(32, 1).toString('base64');

  it.each<[string, string[], number | null, Finding['verdict'], string]>([
    ['an RSA key', [`v=DKIM1; k=rsa; p=${key}`], 2_048, 'ok', 's._domainkey.a.test has a 2048-bit RSA key'],
    ['a key without optional tags', [`p=${key}`], 2_048, 'ok', '2048-bit'],
    ['a key in several parts', [`v=DKIM1; p=${key.slice(0, 4)} ${key.slice(4)};`], 2_048, 'ok', '2048-bit'],
    ['an Ed25519 key', [`v=DKIM1; k=ed25519; p=${ed25519}`], null, 'ok', 'an Ed25519 key'],
    ['none', [], null, 'missing', 'There is no DKIM key at s._domainkey.a.test. Publish the key'],
    ['several', [`p=${key}`, `p=${ed25519}`], 2_048, 'missing', 'There are 2 records'],
    ['a revoked key', ['v=DKIM1; p='], null, 'missing', 'revoked'],
    ['something else', ['v=spf1 -all'], null, 'missing', 'not a DKIM key'],
    ['another version', [`v=DKIM2; p=${key}`], 2_048, 'missing', 'not a DKIM key'],
    ['a damaged key', [`v=DKIM1; p=${key}`], null, 'missing', 'malformed'],
    ['a damaged Ed25519 key', [`k=ed25519; p=${key}`], null, 'missing', 'malformed'],
    ['an unknown type', [`k=ecdsa; p=${key}`], null, 'missing', 'unknown type'],
    ['a weak key', [`p=${key}`], 768, 'missing', 'has 768 bits'],
    ['a short key', [`p=${key}`], 1_024, 'warning', '2,048 are recommended'],
    ['a test', [`p=${key}; t=s:y`], 2_048, 'warning', 't=y'],
  ])('%s', (_, records, bits, verdict, text) => {
    expect(judgeDkim('s._domainkey.a.test', records, () => bits)).toEqual(finding(verdict, text));
  });
});

describe('DMARC', () => {
  it.each<[string, string[], Finding['verdict'], string]>([
    ['a policy', ['v=DMARC1; p=quarantine'], 'ok', '"v=DMARC1; p=quarantine"'],
    ['a strict policy', ['v=DMARC1;p=reject;sp=none'], 'ok', 'p=reject'],
    ['a policy that only reports', ['v=DMARC1; p=none; rua=mailto:d@a.test'], 'warning', 'set p=quarantine'],
    ['none', [], 'missing', 'There is no DMARC policy. Publish a TXT record at _dmarc.a.test'],
    ['several', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'missing', 'There are 2 policies'],
    ['no policy in the record', ['v=DMARC1; rua=mailto:d@a.test'], 'missing', 'no valid policy'],
    ['an invalid policy', ['v=DMARC1; p=block'], 'missing', 'no valid policy'],
  ])('%s', (_, policies, verdict, text) => {
    expect(judgeDmarc('a.test', '_dmarc.a.test', policies)).toEqual(finding(verdict, text));
  });

  it.each<[string, Finding['verdict']]>([
    ['v=DMARC1; p=reject', 'ok'],
    ['v=DMARC1; p=reject; sp=none', 'warning'],
    ['v=DMARC1; p=none; sp=reject', 'ok'],
  ])('of a subdomain follows from the domain above: %s', (policy, verdict) => {
    expect(judgeDmarc('mail.a.test', '_dmarc.a.test', [policy])).toEqual(finding(verdict, 'at _dmarc.a.test'));
  });

  it.each([
    ['a.test', ['_dmarc.a.test']],
    ['x.y.a.test', ['_dmarc.x.y.a.test', '_dmarc.y.a.test', '_dmarc.a.test']],
    ['localhost', ['_dmarc.localhost']],
  ])('of %s is looked for at %j', (domain, names) => expect(dmarcNames(domain)).toEqual(names));

  it('is distinguished from other texts', () => {
    const policies = ['v=DMARC1', 'v = DMARC1 ; p=none'];
    expect(dmarcPolicies(['x', 'v=DMARC10; p=none', 'p=none; v=DMARC1', ...policies])).toEqual(policies);
  });
});
