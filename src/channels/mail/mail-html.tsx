import { type ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';

const FONT = 'font-family: system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; font-size: 15px;';

/** The style of paragraphs that matter less. */
export const QUIET = 'margin: 0 0 8px; font-size: 13px; color: #57606a;';

/** Returns the HTML of a mail. Styles are inline, because mail clients ignore others. */
export function mailHtml(title: string, content: ComponentChildren): string {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
      </head>
      <body style={`${FONT} margin: 0; padding: 24px; line-height: 1.5;`}>{content}</body>
    </html>
  );
  return `<!doctype html>${renderToString(page)}`;
}
