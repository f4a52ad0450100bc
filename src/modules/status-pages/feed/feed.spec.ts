import { describe, expect, it } from '@jest/globals';
import { v5 as uuidv5 } from 'uuid';
import { childrenOf, parseXml, type XmlElement } from '../../../../test/support/xml.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { markdownHtml } from '../../../html/markdown.js';
import { type Phase } from '../../incidents/dto/incident.dto.js';
import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type PublicMaintenanceDto } from '../dto/public-maintenance.dto.js';
import { type PublicComponentDto } from '../dto/public-page.dto.js';
import { PageAddress } from '../page-address.js';
import { type PublicPage } from '../public-page.types.js';
import { renderFeed } from './feed.js';

const PAGE_ID = '0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01';
const INCIDENT_ID = '0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a02';
const ORIGIN = 'https://watch.example.com';

const update = (at: string, phase: Phase, text: string) => ({ at, phase, text, textHtml: markdownHtml(text) });

const incident: PublicIncidentDto = {
  id: INCIDENT_ID,
  title: 'Shop was down',
  status: 'resolved',
  impact: 'down',
  componentIds: ['shop'],
  startedAt: '2026-11-20T12:00:00.000Z',
  resolvedAt: '2026-11-20T12:30:00.000Z',
  updates: [
    update('2026-11-20T13:00:00.000Z', 'note', 'More\non it.'),
    update('2026-11-20T12:10:00.000Z', 'identified', 'We **know** <why> & "how".'),
  ],
};
const planned: PublicMaintenanceDto = {
  id: '0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a03',
  name: 'Upgrade',
  description: null,
  active: false,
  startsAt: '2026-11-25T02:00:00.000Z',
  endsAt: '2026-11-25T03:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  componentIds: ['shop'],
};

interface Parts {
  incidents?: PublicIncidentDto[];
  maintenance?: PublicMaintenanceDto[];
  name?: string;
  slug?: string;
}

function feedOf({ incidents = [], maintenance = [], name = 'Example', slug = 'example' }: Parts = {}): XmlElement {
  const page: PublicPage = {
    id: PAGE_ID,
    slug,
    teamId: 'team' as TeamId,
    parts: [],
    theme: 'auto',
    acceptsSubscribers: false,
    createdAt: new Date(0),
    updatedAt: new Date('2026-11-10T00:00:00Z'),
    view: {
      name,
      description: null,
      status: 'operational',
      computedAt: '2026-11-21T00:00:00.000Z',
      timezone: 'Europe/Berlin',
      historyDays: 90,
      homepageUrl: null,
      accentColor: null,
      logoUrl: null,
      incidents,
      maintenance,
      components: [{ id: 'shop', name: 'Shop' } as PublicComponentDto],
    },
  };
  return parseXml(renderFeed(page, PageAddress.ofSlug(ORIGIN, slug)));
}

const textOf = (element: XmlElement, name: string): string => childrenOf(element, name)[0]!.text;

describe('a feed', () => {
  it('contains the elements that RFC 4287 requires, even without entries', () => {
    const feed = feedOf();
    expect({ name: feed.name, xmlns: feed.attributes.xmlns }).toEqual({
      name: 'feed',
      xmlns: 'http://www.w3.org/2005/Atom',
    });
    expect(['id', 'title', 'updated', 'author'].map((name) => textOf(feed, name))).toEqual([
      `urn:uuid:${uuidv5('feed', PAGE_ID)}`,
      'Example',
      '2026-11-10T00:00:00.000Z',
      'Example',
    ]);
    expect(childrenOf(feed, 'link').map(({ attributes: { rel, href } }) => [rel, href])).toEqual([
      ['self', `${ORIGIN}/status/example/feed.atom`],
      ['alternate', `${ORIGIN}/status/example`],
    ]);
  });

  it('contains an incident with its updates, dated by the latest one', () => {
    const feed = feedOf({ incidents: [incident] });
    const [entry] = childrenOf(feed, 'entry');
    expect(['title', 'published', 'updated'].map((name) => textOf(entry!, name))).toEqual([
      'Shop was down',
      '2026-11-20T12:00:00.000Z',
      '2026-11-20T13:00:00.000Z',
    ]);
    expect(textOf(feed, 'updated')).toBe('2026-11-20T13:00:00.000Z');
    const [content] = childrenOf(entry!, 'content');
    expect(content!.attributes).toEqual({ type: 'html' });
    expect(content!.text).toBe(
      '<p>Resolved. 20 Nov 2026, 13:00 CET to 20 Nov 2026, 13:30 CET.</p><p>Affected: Shop.</p>' +
        '<p><small>20 Nov 2026, 14:00 CET</small></p><p>More<br>\non it.</p>' +
        '<p><small>20 Nov 2026, 13:10 CET</small><br><strong>Identified</strong></p>' +
        '<p>We <strong>know</strong> &lt;why&gt; &amp; &quot;how&quot;.</p>',
    );
  });

  it.each<[string, Partial<PublicMaintenanceDto>, string]>([
    ['when it is announced', {}, '2026-11-18T02:00:00.000Z'],
    ['when it is changed', { updatedAt: '2026-11-19T00:00:00.000Z' }, '2026-11-19T00:00:00.000Z'],
    ['when it begins', { active: true }, '2026-11-25T02:00:00.000Z'],
  ])('dates an entry for maintenance %s', (_, change, updated) => {
    const [entry] = childrenOf(feedOf({ maintenance: [{ ...planned, ...change }] }), 'entry');
    expect(textOf(entry!, 'updated')).toBe(updated);
  });

  it('keeps the id of an entry when its title or the slug changes, and has separate ids for occurrences', () => {
    const idOf = (parts: Parts): string => textOf(childrenOf(feedOf(parts), 'entry')[0]!, 'id');
    const id = idOf({ incidents: [incident] });
    expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-/);
    expect(idOf({ incidents: [{ ...incident, title: 'Else', updates: [] }], slug: 'moved' })).toBe(id);
    expect(id).not.toContain(INCIDENT_ID);
    const next = { ...planned, startsAt: '2026-12-25T02:00:00.000Z' };
    const occurrences = childrenOf(feedOf({ maintenance: [planned, next] }), 'entry');
    expect(new Set(occurrences.map((entry) => textOf(entry, 'id'))).size).toBe(2);
  });

  it.each([
    '<script>alert(1)</script>',
    `]]>&"'<!--`,
    'a\u0000b\u0008c\u001fd\ufffee\ud800f',
    '\u202eright to left',
    '&#x3c;img src=x onerror=alert(1)&#x3e;',
  ])('is well-formed and without active content with %j in every text', (text) => {
    const updates = [update(incident.startedAt, 'note', text)];
    const maintenance = [{ ...planned, name: text, description: text }];
    const feed = feedOf({ incidents: [{ ...incident, title: text, updates }], maintenance, name: text });
    for (const entry of childrenOf(feed, 'entry')) {
      expect(textOf(entry, 'content')).not.toMatch(/<(?!\/?(p|small|strong|br)>)/);
    }
  });
});
