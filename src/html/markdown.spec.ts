import { describe, expect, it } from '@jest/globals';
import { leastCpuMs } from '../../test/support/cpu-time.js';
import { markdownHtml } from './markdown.js';

const REL = 'rel="noopener noreferrer nofollow"';

describe('markdownHtml', () => {
  it.each([
    ['emphasis and code', '**All** of `a<b`', '<p><strong>All</strong> of <code>a&lt;b</code></p>'],
    ['line breaks', 'one\ntwo\n\nthree', '<p>one<br>\ntwo</p>\n<p>three</p>'],
    ['a list', '- one\n- two', '<ul>\n<li>one</li>\n<li>two</li>\n</ul>'],
    ['a heading as a paragraph', '# Cause', '<p><strong>Cause</strong></p>'],
    ['a link', '[post](https://a.example/?b=c&d)', `<p><a href="https://a.example/?b=c&amp;d" ${REL}>post</a></p>`],
    [
      'a bare URL',
      'See https://a.example/x.',
      `<p>See <a href="https://a.example/x" ${REL}>https://a.example/x</a>.</p>`,
    ],
    ['an email address as a link', '[us](mailto:a@b.example)', `<p><a href="mailto:a@b.example" ${REL}>us</a></p>`],
    ['an image as a link', '![x](https://a.example/x.png)', `<p>!<a href="https://a.example/x.png" ${REL}>x</a></p>`],
    ['names that look like hosts', 'checkout.io, www.a.com, a@b.example', '<p>checkout.io, www.a.com, a@b.example</p>'],
    ['HTML', '<b onclick="x">a</b>', '<p>&lt;b onclick=&quot;x&quot;&gt;a&lt;/b&gt;</p>'],
    ['a block of HTML', '<script>\nalert(1)\n</script>', '<p>&lt;script&gt;<br>\nalert(1)<br>\n&lt;/script&gt;</p>'],
    ['an entity', '&lt;script&gt; &#x3c;b>', '<p>&lt;script&gt; &lt;b&gt;</p>'],
    ['an empty text', ' \n', ''],
  ])('renders %s', (_, text, html) => {
    expect(markdownHtml(text)).toBe(html);
  });

  it.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](java\u0000script:alert(1))',
    '[a](&#x6a;avascript:alert(1))',
    '[a](data:text/html,x)',
    '[a](vbscript:x)',
    '[a](file:///etc/passwd)',
    '[a](//evil.example)',
    '[a](/settings)',
    '[a](#x)',
    '<javascript:alert(1)>',
    '[a]: javascript:alert(1)\n\n[a]',
    'javascript:alert(1)',
    'ftp://a.example/x',
  ])('does not link %j', (text) => {
    expect(markdownHtml(text)).not.toContain('<a');
  });

  it.each([
    '[a](https://b.example "x\\" onclick=alert(1)")',
    '[a](https://b.example/"onclick="alert)',
    'https://b.example/"onmouseover="alert(1)',
    '<https://b.example/"onclick=alert>',
    '```"><script>\nx\n```',
  ])('does not let %j add an attribute or an element', (text) => {
    const tags = markdownHtml(text).match(/<[^>]*>/g)!;
    for (const tag of tags) {
      expect(tag).toMatch(/^<\/?(p|a|pre|code)( (href|rel|title|class)="[^"]*")*>$/);
    }
  });

  it.each([
    ...['[', '![', '[](', '[a](', '[a](<', '(', '*', '_', '**a ', '_a*', '***a', '`', '` ', '``a', '<', '<a ', '<!--'],
    ...[
      '&',
      '\\',
      '>',
      '> - ',
      '- ',
      '-\n',
      '# \n',
      '* * ',
      '1. ',
      '|',
      'https://',
      'http://a@',
      'https://a/(',
      'mailto:',
    ],
    ...[
      '<https://a',
      '[a]: b\n',
      '[a]: <',
      '[a]: "',
      '\n',
      '\t',
      ' ',
      '    a\n',
      '"',
      '\u0000',
      '\u202e',
      '~~~\n',
      '//',
    ],
  ])('renders the longest text of %j in little time', (part) => {
    const text = part.repeat(5_000 / part.length);
    expect(leastCpuMs(() => markdownHtml(text))).toBeLessThan(150);
    expect(markdownHtml(text).length).toBeLessThan(50_000);
  });

  it('renders deeply nested text in little time', () => {
    const nested = [
      '['.repeat(2_500) + ']'.repeat(2_500),
      '*a '.repeat(800) + 'a* '.repeat(800),
      Array.from({ length: 95 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n'),
      `${'>'.repeat(100)}\n`.repeat(49),
      Array.from({ length: 95 }, (_, length) => '`'.repeat(length + 1)).join(' '),
    ];
    for (const text of nested) expect(leastCpuMs(() => markdownHtml(text))).toBeLessThan(150);
  });
});
