import { describe, expect, it } from '@jest/globals';
import { DOMAIN, pathOnService } from './custom-domain.js';

it.each([
  ['/', '/status/shop'],
  ['/status.json', '/status/shop.json'],
  ['/history', '/status/shop/history'],
  ['/feed.atom', '/status/shop/feed.atom'],
  ['/maintenance.ics', '/status/shop/maintenance.ics'],
  ['/incidents/1', '/status/shop/incidents/1'],
  ['/api/v2/summary.json', '/status/shop/api/v2/summary.json'],
  ['/api/v2/incidents/unresolved.json', '/status/shop/api/v2/incidents/unresolved.json'],
  ['/badges/1/status.svg', '/badges/shop/1/status.svg'],
  ['/badges/1/response-time.svg', '/badges/shop/1/response-time.svg'],
  ['/status/_/abc/status-page.css', '/status/_/abc/status-page.css'],
])('pathOnService maps %s to %s', (path, expected) => {
  expect(pathOnService('shop', path)).toBe(expected);
});

it.each([
  '',
  '//',
  '/v1/monitors',
  '/docs',
  '/docs/openapi.json',
  '/sign-in',
  '/monitors',
  '/assets/abc/console.css',
  '/badges/other/1/status.svg',
  '/badges/shop/1/status.svg',
  '/badges/1',
  '/badges/1/status.svg/',
  '/badges/../other/1/status.svg',
  '/status/other',
  '/status/other.json',
  '/status/shop',
  '/status/_/../other',
  '/status/_/a/b/c',
  '/history/',
  '/History',
  '/incidents/',
  '/incidents/1/2',
  '/incidents/../../v1/monitors',
  '/api/v1/pages',
  '/problems',
])('pathOnService finds nothing at %j', (path) => {
  expect(pathOnService('shop', path)).toBe('/status/_');
});

describe('DOMAIN', () => {
  it.each([
    ['status.example.com', true],
    ['example.com', true],
    ['a-b.xn--p1ai', true],
    ['1.example', true],
    [`${'a'.repeat(63)}.example`, true],
    [`${'a'.repeat(64)}.example`, false],
    [`${'a.'.repeat(130)}com`, false],
    ['Status.example.com', false],
    ['localhost', false],
    ['192.0.2.1', false],
    ['status.example.com.', false],
    ['status.example.com:8080', false],
    ['https://status.example.com', false],
    ['status.example.com/x', false],
    ['-a.example', false],
    ['a-.example', false],
    ['a..example', false],
    ['*.example.com', false],
    ['ä.example', false],
    ['', false],
  ])('matches %j: %s', (domain, expected) => {
    expect(DOMAIN.test(domain)).toBe(expected);
  });
});
