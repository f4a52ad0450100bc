import { type ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type Theme } from '../dto/create-status-page.dto.js';
import { type Mark } from '../../../html/marks.js';
import { type PageAddress } from '../page-address.js';
import { accentFile } from './accent-style.js';
import { ASSETS_VERSION, FONT } from '../../../html/assets.js';

/** `_` is not valid in a slug, so that no page can have this path. */
const ASSETS_PATH = `/status/_/${ASSETS_VERSION}`;

const STYLES = ['fonts.css', 'tokens.css', 'days.css', 'status-page.css'];

export interface LayoutProps {
  title: string;
  description?: string | null;
  icon: Mark;
  theme: Theme;
  /** Accent colour of the page: `#rrggbb`. */
  accentColor?: string | null;
  /** How links to the page are previewed, in a chat for example; omitted for error pages. */
  preview?: LinkPreview;
  /** Where the page is served; omitted for error pages, which have no other forms. */
  address?: PageAddress;
  /** Whether its script may reload it; true by default. */
  isLive?: boolean;
  children: ComponentChildren;
}

/** The preview of a link (Open Graph). */
export interface LinkPreview {
  /** The name of the status page. */
  site: string;
  text: string;
  url: string;
  imageUrl: string | null;
}

/** Renders a complete document. */
export function document({
  title,
  description,
  icon,
  theme,
  accentColor,
  preview,
  address,
  isLive = true,
  children,
}: LayoutProps): string {
  const html = (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === 'auto' ? 'light dark' : theme} />
        <title>{title}</title>
        {description && <meta name="description" content={description} />}
        {preview && <Preview title={title} {...preview} />}
        <link rel="preload" as="font" type="font/woff2" href={`${ASSETS_PATH}/${FONT}`} crossorigin="anonymous" />
        {STYLES.map((name) => (
          <link key={name} rel="stylesheet" href={`${ASSETS_PATH}/${name}`} />
        ))}
        {accentColor && <link rel="stylesheet" href={`${ASSETS_PATH}/${accentFile(accentColor)}`} />}
        <link rel="icon" type="image/svg+xml" href={`${ASSETS_PATH}/${icon}.svg`} />
        {address && <link rel="alternate" type="application/json" href={address.json} />}
        {address && <link rel="alternate" type="application/atom+xml" title={title} href={address.feed} />}
        {address && isLive && <script type="module" src={`${ASSETS_PATH}/status-page.js`} />}
      </head>
      <body>{children}</body>
    </html>
  );
  return `<!doctype html>${renderToString(html)}`;
}

function Preview({ title, site, text, url, imageUrl }: LinkPreview & { title: string }) {
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={site} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={text} />
      <meta property="og:url" content={url} />
      {imageUrl && <meta property="og:image" content={imageUrl} />}
      <meta name="twitter:card" content="summary" />
    </>
  );
}
