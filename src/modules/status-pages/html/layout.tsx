import { type ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type Theme } from '../dto/create-status-page.dto.js';
import { type Mark } from '../../../html/marks.js';
import { accentFile } from './accent-style.js';
import { ASSETS_VERSION } from '../../../html/assets.js';

/** `_` is not valid in a slug, so that no page can have this path. */
const ASSETS_PATH = `/status/_/${ASSETS_VERSION}`;

const STYLES = ['tokens.css', 'days.css', 'status-page.css'];

export interface LayoutProps {
  title: string;
  description?: string | null;
  icon: Mark;
  theme: Theme;
  /** Accent colour of the page: `#rrggbb`. */
  accentColor?: string | null;
  /** Other forms of the page. */
  forms?: PageForms;
  children: ComponentChildren;
}

/** The URLs of a page in other forms. */
export interface PageForms {
  json: string;
  feed: string;
}

/** Renders a complete document. */
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
