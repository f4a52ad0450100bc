import { describe, expect, it } from '@jest/globals';
import { ProblemException } from '../../../http/problems/problem.js';
import { type AddressReport, MAX_MAIL_EVENTS, reportsOf } from './mail-events.js';

const event = (data: Record<string, unknown> = {}, type: unknown = 'mail.bounced') => ({
  type,
  timestamp: '2026-11-26T12:00:00Z',
  data: { email: 'Jo@Example.com', provider: 'x', ...data },
});
const bounce = { kind: 'bounced', permanent: true, reason: null } as const;

describe('a report of a mail provider', () => {
  it.each<[string, unknown, AddressReport[]]>([
    ['a bounce is permanent by default', event(), [{ email: 'jo@example.com', report: bounce }]],
    [
      'a bounce may be temporary',
      event({ permanent: false }),
      [{ email: 'jo@example.com', report: { ...bounce, permanent: false } }],
    ],
    [
      'a complaint',
      event({ reason: null }, 'mail.complained'),
      [{ email: 'jo@example.com', report: { ...bounce, kind: 'complained' } }],
    ],
    ['several events', [event(), event({}, 'mail.delivered')], [{ email: 'jo@example.com', report: bounce }]],
    ['none', [], []],
    ['another type, whatever it contains', { type: 'mail.opened', data: 1 }, []],
  ])('%s', (_, body, reports) => expect(reportsOf(body)).toEqual(reports));

  it.each([
    ['550 5.1.1 <Jo@Example.com>: user\r\nunknown', '550 5.1.1 <…>: user unknown'],
    ['returned to bounces+Jo=Example.com@mail.test; jo@example.com', 'returned to …; …'],
    ['  ', null],
    ['x'.repeat(400), `${'x'.repeat(299)}…`],
  ])('gives the reason %j as %j', (reason, shown) => {
    expect(reportsOf(event({ reason }))[0]!.report.reason).toBe(shown);
  });

  it.each<[string, unknown, string[]]>([
    ['no object', 'text', ['']],
    ['no type', {}, ['/type', '/data']],
    ['a type that is not a text', event({}, 1), ['/type']],
    ['no data', { type: 'mail.bounced' }, ['/data']],
    ['no address', event({ email: 'jo' }), ['/data/email']],
    ['wrong members', event({ permanent: 'no', reason: 1 }), ['/data/permanent', '/data/reason']],
    ['one wrong event of several', [event(), event({ email: null })], ['/1/data/email']],
    ['too many events', Array.from({ length: MAX_MAIL_EVENTS + 1 }, () => event()), ['']],
  ])('is refused with %s', (_, body, pointers) => {
    const read = () => reportsOf(body);
    expect(read).toThrow(ProblemException);
    try {
      read();
    } catch (error) {
      expect((error as ProblemException).errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    }
  });
});
