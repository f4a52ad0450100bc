import { type ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { ASSETS_VERSION } from '../../../html/assets.js';
import { MARK_GLYPHS, type Mark } from '../../../html/marks.js';
import { type FormState } from '../form-state.js';
import { type PageFrame, type Theme, THEMES } from '../page-frame.js';
import { ErrorSummary, Form } from './form.js';

/** The sections of the application, in the order of the header. A new section is one more line here. */
const SECTIONS = [
  { name: 'Monitors', href: '/' },
  { name: 'Incidents', href: '/incidents' },
  { name: 'Maintenance', href: '/maintenance' },
  { name: 'Status pages', href: '/status-pages' },
  { name: 'Settings', href: '/settings/api-keys' },
] as const;

const STYLES = ['tokens.css', 'console.css', 'editors.css'];
const SCRIPTS = ['console.js', 'editors.js'];

/** Returns the path of an asset, such as a file of `src/web`. */
function assetPath(name: string): string {
  return `/assets/${ASSETS_VERSION}/${name}`;
}

/** Returns the path of the icon of the tab, which shows a state. */
export function iconPath(mark: Mark): string {
  return assetPath(`${mark}.svg`);
}

export type SectionName = (typeof SECTIONS)[number]['name'];

export interface PageProps {
  title: string;
  /** The section that the page belongs to; none for pages such as the sign-in page. */
  section?: SectionName;
  /** Links between the pages of the section. */
  subNavigation?: ComponentChildren;
  /** A message about the action just completed. */
  done?: string | undefined;
  /** The form of the page, whose faults are listed at the top. If a page has several forms, the one that was sent. */
  form?: FormState | undefined;
  /** The state of the page's subject, which the tab shows. */
  mark?: Mark;
  /** The main action of the page, beside the title. */
  action?: { label: string; href: string } | undefined;
  /** Names of assets that the page needs in addition to those of every page. */
  styles?: readonly string[];
  scripts?: readonly string[];
  /** For a page that consists of a single form. */
  narrow?: boolean;
  children: ComponentChildren;
}

/** Returns a complete page of the application. The renderer escapes all texts from users. */
export function page(frame: PageFrame, props: PageProps) {
  const { title, section, subNavigation, done, form, narrow, action, children } = props;
  const html = (
    <html lang="en" data-theme={frame.theme}>
      <Head {...props} />
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Header frame={frame} section={section} />
        <main id="main" tabIndex={-1} class={narrow ? 'narrow' : undefined}>
          {subNavigation}
          {done !== undefined && (
            <p class="done" role="status">
              {done}
            </p>
          )}
          {form && <ErrorSummary form={form} />}
          <div class="head">
            <h1 dir="auto">{title}</h1>
            {action && (
              <a class="button" href={action.href}>
                {action.label}
              </a>
            )}
          </div>
          {children}
        </main>
        <footer class="bar">
          <ThemeSwitch frame={frame} />
        </footer>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(html)}`;
}

function Head({ title, form, mark, styles = [], scripts = [] }: PageProps) {
  const isRefused = (form?.faults.length ?? 0) > 0;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${isRefused ? 'Error: ' : ''}${tabTitle(title, mark)}`}</title>
      {[...STYLES, ...styles].map((name) => (
        <link key={name} rel="stylesheet" href={assetPath(name)} />
      ))}
      <link rel="icon" type="image/svg+xml" href={iconPath(mark ?? 'up')} />
      {[...SCRIPTS, ...scripts].map((name) => (
        <script
          key={name}
          src={assetPath(name)}
          {...(name.endsWith('.min.js') ? { defer: true } : { type: 'module' })}
        />
      ))}
    </head>
  );
}

/** Returns the title of a page for its tab, with the state of its subject. */
export function tabTitle(title: string, mark?: Mark): string {
  return `${mark ? `${MARK_GLYPHS[mark]} ` : ''}${title} · Daywatch`;
}

function Header({ frame, section }: { frame: PageFrame; section: SectionName | undefined }) {
  const { who } = frame;
  return (
    <header class="top">
      <div class="bar">
        <a class="brand" href="/">
          Daywatch
        </a>
        {who && (
          <>
            <Team frame={frame} />
            <nav aria-label="Application">
              <ul class="links">
                {SECTIONS.map(({ name, href }) => (
                  <li key={name}>
                    <a href={href} aria-current={name === section ? 'page' : undefined}>
                      {name}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          </>
        )}
        <div class="end">
          {who && (
            <Form frame={frame} action="/sign-out" class="inline">
              <a href="/settings/account" dir="auto">
                {who.name}
              </a>
              <button class="button plain" type="submit">
                Sign out
              </button>
            </Form>
          )}
        </div>
      </div>
    </header>
  );
}

/** The current team and, if the person has several, a form to switch to another one. */
function Team({ frame }: { frame: PageFrame }) {
  const { teamId, teamName, memberships } = frame.who!;
  if (memberships.length < 2) {
    return (
      <span class="team" dir="auto">
        {teamName}
      </span>
    );
  }
  return (
    <Form frame={frame} action="/team" class="inline">
      <label class="hidden" for="team-switch">
        Team
      </label>
      <select id="team-switch" name="team">
        {memberships.map((one) => (
          <option key={one.teamId} value={one.teamId} selected={one.teamId === teamId}>
            {one.teamName}
          </option>
        ))}
      </select>
      <button class="button plain" type="submit">
        Switch
      </button>
    </Form>
  );
}

const THEME_WORDS: Readonly<Record<Theme, string>> = { auto: 'System', light: 'Light', dark: 'Dark' };

function ThemeSwitch({ frame }: { frame: PageFrame }) {
  return (
    <form method="post" action="/theme" class="inline" aria-label="Theme" data-theme-switch>
      <input type="hidden" name="next" value={frame.path} />
      {THEMES.map((theme) => (
        <button
          key={theme}
          class="button plain small"
          name="theme"
          value={theme}
          aria-pressed={theme === frame.theme ? 'true' : 'false'}
        >
          {THEME_WORDS[theme]}
        </button>
      ))}
    </form>
  );
}
