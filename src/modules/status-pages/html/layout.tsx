import { type ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type Theme } from '../dto/create-status-page.dto.js';
import { type Mark } from '../../../html/marks.js';
import { accentFile } from './accent-style.js';
import { ASSETS_VERSION } from '../../../html/assets.js';

/** `_` is in no slug: no page can stand in the way of what the pages need. */
const ASSETS_PATH = `/status/_/${ASSETS_VERSION}`;

const STYLES = ['tokens.css', 'days.css', 'status-page.css'];

export interface LayoutProps {
  title: string;
  description?: string | null;
  icon: Mark;
  theme: Theme;
  /** Of a page that has a colour of its own: `#rrggbb`. */
  accentColor?: string | null;
  /** Of a page, its other forms. */
  forms?: PageForms;
  children: ComponentChildren;
}

/** Where a page is found in other forms. */
export interface PageForms {
  json: string;
  feed: string;
}

/** A whole document. */
export function document({ title, description, icon, theme, accentColor, forms, children }: LayoutProps): string {
  const html = (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === 'auto' ? 'light dark' : theme} />
        <title>{title}</title>
        {description && <meta name="description" content={description} />}
        {STYLES.map((name) => (
          <link key={name} rel="stylesheet" href={`${ASSETS_PATH}/${name}`} />
        ))}
        {accentColor && <link rel="stylesheet" href={`${ASSETS_PATH}/${accentFile(accentColor)}`} />}
        <link rel="icon" type="image/svg+xml" href={`${ASSETS_PATH}/${icon}.svg`} />
        {forms && <link rel="alternate" type="application/json" href={forms.json} />}
        {forms && <link rel="alternate" type="application/atom+xml" title={title} href={forms.feed} />}
        {forms && <script type="module" src={`${ASSETS_PATH}/status-page.js`} />}
      </head>
      <body>{children}</body>
    </html>
  );
  return `<!doctype html>${renderToString(html)}`;
}
