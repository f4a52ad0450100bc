import { LRUCache } from 'lru-cache';
import MarkdownIt from 'markdown-it';

/** Relative addresses would refer to another place on each page and in the feed. */
const LINK = /^(https?:\/\/|mailto:)/i;
/** Maximum number of characters of rendered texts that are kept, with their HTML. */
const CACHED_CHARS = 4_000_000;

const markdown = new MarkdownIt('commonmark', { html: false, linkify: true, breaks: true, xhtmlOut: false })
  .enable('linkify')
  // Images would let authors track readers, and the content security policy blocks them.
  .disable('image');
// Only addresses with a protocol: `checkout.io` in a text may be the name of a service.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
markdown.validateLink = (address) => LINK.test(address);
markdown.renderer.rules.link_open = (tokens, at, options, _, renderer) => {
  tokens[at]!.attrSet('rel', 'noopener noreferrer nofollow');
  return renderer.renderToken(tokens, at, options);
};
// A text appears at different depths of a page, whose outline its headings must not interrupt.
markdown.renderer.rules.heading_open = () => '<p><strong>';
markdown.renderer.rules.heading_close = () => '</strong></p>\n';

const known = new LRUCache<string, string>({
  maxSize: CACHED_CHARS,
  sizeCalculation: (html, text) => html.length + text.length + 1,
});

/**
 * Renders CommonMark as HTML that is safe to embed: HTML in the text is escaped, links lead to `http`, `https` and
 * `mailto` addresses only, images become links, and headings become bold paragraphs. Line breaks are preserved, and
 * addresses that begin with their protocol become links. Takes time proportional to the length of the text.
 */
export function markdownHtml(text: string): string {
  let html = known.get(text);
  if (html === undefined) {
    html = markdown.render(text).trimEnd();
    known.set(text, html);
  }
  return html;
}
