import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { testEgress } from '../../../test/support/probe-run.js';
import { testCertificate } from '../../../test/support/raw-target.js';
import { type Reply, useReceiver } from '../../../test/support/receiver.js';
import { Deadline } from '../../probes/deadline.js';
import { type AllowPrivateTargets, createAddressPolicy } from '../../probes/net/address-policy.js';
import { Egress } from '../../probes/net/egress.js';
import { post } from './post.js';

const receiver = useReceiver();
const secure = useReceiver(testCertificate('valid'));
const expired = useReceiver(testCertificate('expired'));
const otherName = useReceiver(testCertificate('other-name'));
const selfSigned = useReceiver(testCertificate('self-signed'));

async function postTo(
  url: string,
  { timeoutMs = 10_000, allow }: { timeoutMs?: number; allow?: AllowPrivateTargets } = {},
) {
  const deadline = new Deadline();
  const timer = setTimeout(() => deadline.end(), timeoutMs);
  try {
    return await post({ url, json: { hello: 'wörld' } }, { deadline, egress: testEgress(allow), mail: null });
  } finally {
    clearTimeout(timer);
  }
}

const inTenMinutes = (): string => new Date(Date.now() + 600_000).toUTCString();

describe('post', () => {
  it('sends JSON and reports success', async () => {
    const delivery = await postTo(`${receiver.origin}/a/b?c=d`);
    expect(delivery).toEqual({ status: 'sent', providerId: null, statusCode: 200 });
    expect(receiver.only).toMatchObject({ method: 'POST', path: '/a/b', json: { hello: 'wörld' } });
    expect(receiver.only.headers['content-type']).toBe('application/json');
    expect(receiver.only.headers['user-agent']).toMatch(/^Daywatch\//);
    await eventually(() => expect(receiver.open).toBe(0));
  });

  it.each<[string, Reply, boolean, number | null]>([
    ['400', { status: 400 }, true, null],
    ['401', { status: 401 }, true, null],
    ['404', { status: 404 }, true, null],
    ['410', { status: 410 }, true, null],
    ['408', { status: 408 }, false, null],
    ['500', { status: 500 }, false, null],
    ['503 with a wait', { status: 503, headers: { 'Retry-After': '7' } }, false, 7_000],
    ['429', { status: 429 }, false, null],
    ['429 with seconds', { status: 429, headers: { 'Retry-After': '120' } }, false, 120_000],
    ['429 with a negative wait', { status: 429, headers: { 'Retry-After': '-5' } }, false, null],
    ['429 with nonsense', { status: 429, headers: { 'Retry-After': 'soon' } }, false, null],
    ['429 with years', { status: 429, headers: { 'Retry-After': '99999999' } }, false, 86_400_000],
    ['a redirect', { status: 307, headers: { Location: '/elsewhere' } }, true, null],
  ])('judges %s', async (_, reply, permanent, retryAfterMs) => {
    receiver.answer(reply);
    expect(await postTo(receiver.origin)).toMatchObject({ status: 'failed', permanent, retryAfterMs });
    expect(receiver.requests).toHaveLength(1);
  });

  it('reads a date in Retry-After', async () => {
    receiver.answer({ status: 429, headers: { 'Retry-After': inTenMinutes() } });
    const delivery = await postTo(receiver.origin);
    const wait = delivery.status === 'failed' ? delivery.retryAfterMs! : 0;
    expect(wait).toBeGreaterThan(300_000);
    expect(wait).toBeLessThanOrEqual(600_000);
  });

  it.each<[string, Reply]>([
    ['no answer', 'hang'],
    ['a broken connection', 'reset'],
  ])('reports %s as a failure that passes', async (_, reply) => {
    receiver.answer(reply);
    const delivery = await postTo(receiver.origin, { timeoutMs: 500 });
    expect(delivery).toMatchObject({ status: 'failed', permanent: false, statusCode: null });
    await eventually(() => expect(receiver.open).toBe(0));
  });

  it('does not read more than it needs of a long answer', async () => {
    receiver.answer('huge');
    expect(await postTo(receiver.origin)).toMatchObject({ status: 'sent' });
    await eventually(() => expect(receiver.open).toBe(0));
  });

  it.each([
    ['an IPv4 address', '127.0.0.1'],
    ['a name', 'localhost'],
    ['another notation', '2130706433'],
    ['an IPv6 address', '[::1]'],
    ['an IPv4 address in an IPv6 address', '[::ffff:127.0.0.1]'],
    ['a metadata service', '169.254.169.254'],
  ])('does not connect to %s that is not allowed', async (_, host) => {
    const delivery = await postTo(`http://${host}:${receiver.port}/`, { allow: [] });
    expect(delivery).toMatchObject({ status: 'failed', permanent: true, statusCode: null });
    expect(delivery).toMatchObject({ error: expect.stringContaining('ALLOW_PRIVATE_CHANNELS') });
    expect(receiver.requests).toHaveLength(0);
  });

  it('connects to the address that it judged, even if the name has another one a moment later', async () => {
    const answers = ['127.0.0.1', '10.0.0.1'];
    const resolver = { resolve: () => Promise.resolve([answers.shift()!]) };
    const egress = new Egress(createAddressPolicy(['127.0.0.0/8']), resolver);
    const context = { deadline: new Deadline(), egress, mail: null };
    const url = `http://rebinding.example:${receiver.port}/`;
    expect(await post({ url }, context)).toMatchObject({ status: 'sent' });
    expect(receiver.only.headers.host).toBe(`rebinding.example:${receiver.port}`);
    expect(await post({ url }, context)).toMatchObject({ status: 'failed', permanent: true });
    expect(answers).toEqual([]);
  });

  it('connects over TLS', async () => {
    expect(await postTo(secure.origin)).toMatchObject({ status: 'sent' });
    expect(secure.requests).toHaveLength(1);
  });

  it.each([
    ['expired', expired, /expired/],
    ['for another name', otherName, /not valid for this host name/],
    ['not trusted', selfSigned, /not trusted/],
  ])('sends nothing where the certificate is %s', async (_, untrusted, error) => {
    const delivery = await postTo(untrusted.origin);
    expect(delivery).toMatchObject({ status: 'failed', permanent: false, error: expect.stringMatching(error) });
    expect(untrusted.requests).toHaveLength(0);
  });
});
