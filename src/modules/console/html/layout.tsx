import { type ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { FONT } from '../../../html/assets.js';
import { MARK_GLYPHS, type Mark } from '../../../html/marks.js';
import { type FormState } from '../form-state.js';
import { type PageFrame, type Theme } from '../page-frame.js';
import { assetPath } from './asset-path.js';
import { ErrorSummary } from './form.js';
import { Header, type SectionName, Shortcuts, ThemeSwitch } from './header.js';
import { Logo } from './icon.js';

const STYLES = ['tokens.css', 'fonts.css', 'console.css', 'components.css', 'editors.css'];
const WALL_RELOAD_SECONDS = 60;
const SCRIPTS = ['console.js', 'editors.js', 'shortcuts.js'];

/** Returns the path of the icon of the tab, which shows a state. */
export function iconPath(mark: Mark): string {
  return assetPath(`${mark}.svg`);
}

export interface Crumb {
  label: string;
  href: string;
}

export interface PageProps {
  title: string;
  /** A word beside the title that sets the subject of the page apart from others. */
  tag?: string | undefined;
  /** The section that the page belongs to; none for pages such as the sign-in page. */
  section?: SectionName;
  /** Links between the pages of the section. */
  subNavigation?: ComponentChildren;
  /** The pages above this one, the section first. */
  trail?: readonly Crumb[];
  /** A message about the action just completed. */
  done?: ComponentChildren;
  /** The form of the page, whose faults are listed at the top. If a page has several forms, the one that was sent. */
  form?: FormState | undefined;
  /** The state of the page's subject, which the tab shows. */
  mark?: Mark;
  /** The main action of the page, beside the title. */
  action?: { label: string; href: string } | undefined;
  /** Further controls beside the title. */
  tools?: ComponentChildren;
  /** Names of assets that the page needs in addition to those of every page. */
  styles?: readonly string[];
  scripts?: readonly string[];
  /** For a page that consists of a single form. */
  narrow?: boolean;
  /** For a page through which people enter: its form is centred below the logo, without the header. */
  entrance?: boolean;
  /** For a page that a link opens without a session: it has no form but its own. */
  isPublic?: boolean;
  children: ComponentChildren;
}

/** Returns a complete page of the application. The renderer escapes all texts from users. */
export function page(frame: PageFrame, props: PageProps) {
  const { title, tag, section, subNavigation, trail, done, form, narrow, entrance, isPublic, action, tools, children } =
    props;
  return documentOf(
    frame.theme,
    props,
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      {!entrance && <Header frame={frame} section={section} />}
      <main id="main" tabIndex={-1} class={entrance ? 'entrance' : narrow ? 'narrow' : undefined}>
        {entrance && (
          <p class="brand">
            <Logo />
            Daywatch
          </p>
        )}
        {subNavigation}
        {done !== undefined && (
          <p class="done" role="status">
            {done}
          </p>
        )}
        {form && <ErrorSummary form={form} />}
        {trail && <Breadcrumbs trail={trail} />}
        <div class="head">
          {tag === undefined ? (
            <h1 dir="auto">{title}</h1>
          ) : (
            <h1>
              <span dir="auto">{title}</span>
              <span class="tag">{tag}</span>
            </h1>
          )}
          {(action ?? tools) && (
            <div class="buttons">
              {tools}
              {action && (
                <a class="button" href={action.href} data-hotkey="n">
                  {action.label}
                </a>
              )}
            </div>
          )}
        </div>
        {children}
      </main>
      {frame.who && <Shortcuts />}
      {!frame.who && !isPublic && (
        <footer class="bar">
          <ThemeSwitch frame={frame} />
        </footer>
      )}
    </>,
  );
}

type WallProps = Pick<PageProps, 'title' | 'mark' | 'styles' | 'scripts' | 'children'>;

/** Returns a page for a screen on the wall: dark, and nothing but its content. Without the script, it reloads itself. */
export function wallPage(props: WallProps): string {
  return documentOf(
    'dark',
    { ...props, reloadsEverySeconds: WALL_RELOAD_SECONDS },
    <main id="main">{props.children}</main>,
  );
}

function documentOf(theme: Theme, head: HeadProps, body: ComponentChildren): string {
  const html = (
    <html lang="en" data-theme={theme}>
      <Head {...head} />
      <body>{body}</body>
    </html>
  );
  return `<!doctype html>${renderToString(html)}`;
}

interface HeadProps extends Pick<PageProps, 'title' | 'form' | 'mark' | 'styles' | 'scripts'> {
  reloadsEverySeconds?: number;
}

function Head({ title, form, mark, styles = [], scripts = [], reloadsEverySeconds }: HeadProps) {
  const isRefused = (form?.faults.length ?? 0) > 0;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      {reloadsEverySeconds !== undefined && (
        <noscript>
          <meta http-equiv="refresh" content={String(reloadsEverySeconds)} />
        </noscript>
      )}
      <link rel="preload" as="font" type="font/woff2" href={assetPath(FONT)} crossorigin="anonymous" />
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
  return `${mark ? tabGlyph(mark) : ''}${title} · Daywatch`;
}

/** Returns the beginning of a tab's title that shows a state. */
export function tabGlyph(mark: Mark): string {
  return `${MARK_GLYPHS[mark]} `;
}

function Breadcrumbs({ trail }: { trail: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumbs">
      <ol class="trail">
        {trail.map(({ label, href }) => (
          <li key={href}>
            <a href={href} dir="auto">
              {label}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
