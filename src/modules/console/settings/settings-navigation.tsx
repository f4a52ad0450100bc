const PAGES = [
  { name: 'API keys', href: '/settings/api-keys' },
  { name: 'Ping keys', href: '/settings/ping-keys' },
  { name: 'Notifications', href: '/settings/notifications' },
  { name: 'Team', href: '/settings/team' },
  { name: 'Audit log', href: '/settings/audit-log' },
  { name: 'Account', href: '/settings/account' },
] as const;

export type SettingsPage = (typeof PAGES)[number]['name'];

/** Links between the pages of section "Settings". */
export function SettingsNavigation({ current }: { current: SettingsPage }) {
  return (
    <nav aria-label="Settings" class="sub">
      <ul class="links">
        {PAGES.map(({ name, href }) => (
          <li key={name}>
            <a href={href} aria-current={name === current ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
