import { type PageFrame, type Theme, THEMES } from '../page-frame.js';
import { Form } from './form.js';
import { Icon, Logo } from './icon.js';
import { Menu, MenuButton, MenuLink } from './menu.js';

/** The sections of the application, in the order of the header. A new section is one more line here. */
const SECTIONS = [
  { name: 'Overview', href: '/', icon: 'layout-dashboard', hotkey: 'g o' },
  { name: 'Monitors', href: '/monitors', icon: 'radar', hotkey: 'g m' },
  { name: 'Incidents', href: '/incidents', icon: 'siren', hotkey: 'g i' },
  { name: 'Maintenance', href: '/maintenance', icon: 'calendar', hotkey: 'g w' },
  { name: 'Status pages', href: '/status-pages', icon: 'book-open', hotkey: 'g p' },
  { name: 'Settings', href: '/settings/api-keys', icon: 'sliders-horizontal', hotkey: 'g s' },
] as const;

export type SectionName = (typeof SECTIONS)[number]['name'];

interface HeaderProps {
  frame: PageFrame;
  section: SectionName | undefined;
}

/** The top of every page. On phones the sections are part of a menu. */
export function Header({ frame, section }: HeaderProps) {
  const { who } = frame;
  return (
    <header class="top">
      <div class="bar">
        <a class="brand" href="/">
          <Logo />
          Daywatch
        </a>
        {who && (
          <>
            <span class="team" dir="auto">
              {who.teamName}
            </span>
            <nav aria-label="Application">
              <ul class="links">
                {SECTIONS.map(({ name, href, hotkey }) => (
                  <li key={name}>
                    <a href={href} aria-current={name === section ? 'page' : undefined} data-hotkey={hotkey}>
                      {name}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            <div class="end">
              <a class="button ghost small only-desktop" href="/docs">
                <Icon name="code" />
                API reference
              </a>
              <AccountMenu frame={frame} section={section} />
            </div>
          </>
        )}
      </div>
    </header>
  );
}

/** The keyboard shortcuts, which the script opens. */
export function Shortcuts() {
  return (
    <dialog class="dialog" id="shortcuts" aria-labelledby="shortcuts-title" data-hotkey="?">
      <h2 id="shortcuts-title">Keyboard shortcuts</h2>
      <dl class="facts">
        {[
          ['/', 'Search'],
          ['n', 'New monitor, incident, maintenance window or status page'],
          ...SECTIONS.map(({ hotkey, name }) => [hotkey, name]),
          ['?', 'Keyboard shortcuts'],
        ].map(([keys, words]) => (
          <>
            <dt key={keys}>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{words}</dd>
          </>
        ))}
      </dl>
      <label class="choice">
        <input type="checkbox" data-shortcuts-on />
        Use keyboard shortcuts
      </label>
      <form method="dialog">
        <button class="button plain">Close</button>
      </form>
    </dialog>
  );
}

function AccountMenu({ frame, section }: HeaderProps) {
  const { name, teamId, teamName, memberships } = frame.who!;
  const others = memberships.filter((one) => one.teamId !== teamId);
  return (
    <Menu
      button={
        <>
          <span class="avatar only-desktop" aria-hidden="true">
            {initials(name)}
          </span>
          <span class="button ghost square only-phone" aria-hidden="true">
            <Icon name="menu" />
          </span>
          <span class="hidden">Menu</span>
        </>
      }
    >
      <nav class="only-phone" aria-label="Sections">
        {SECTIONS.map((one) => (
          <MenuLink key={one.name} href={one.href} icon={one.icon} label={one.name} isCurrent={one.name === section} />
        ))}
        <hr />
      </nav>
      <p class="note quiet" dir="auto">
        {name} · {teamName}
      </p>
      <MenuLink href="/settings/account" icon="user" label="Account" />
      <MenuLink href="/docs" icon="code" label="API reference" />
      <button type="button" class="item" data-opens="shortcuts" hidden>
        <Icon name="circle-question-mark" />
        Keyboard shortcuts
      </button>
      {others.length > 0 && (
        <>
          <hr />
          <p class="note quiet">Switch team</p>
          <Form frame={frame} action="/team">
            {others.map((one) => (
              <MenuButton key={one.teamId} name="team" value={one.teamId} icon="chevron-right" label={one.teamName} />
            ))}
          </Form>
        </>
      )}
      <hr />
      <ThemeSwitch frame={frame} />
      <hr />
      <Form frame={frame} action="/sign-out">
        <MenuButton icon="log-out" label="Sign out" />
      </Form>
    </Menu>
  );
}

/** Returns the first letters of the first and the last word. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}

const THEME_WORDS: Readonly<Record<Theme, string>> = { auto: 'System', light: 'Light', dark: 'Dark' };

export function ThemeSwitch({ frame }: { frame: PageFrame }) {
  return (
    <form method="post" action="/theme" class="segments" aria-label="Theme" data-theme-switch>
      <input type="hidden" name="next" value={frame.path} />
      {THEMES.map((theme) => (
        <button
          key={theme}
          class="button small"
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
