import { type ComponentChildren } from 'preact';
import { type IconName } from '../../../html/icons.js';
import { Icon } from './icon.js';

interface MenuProps {
  /** The content of the button that opens the menu. */
  button: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

/** A menu that opens below its button. It works without the script, which closes it on Escape and clicks elsewhere. */
export function Menu({ button, class: name, children }: MenuProps) {
  return (
    <details class={name === undefined ? 'menu' : `menu ${name}`}>
      <summary>{button}</summary>
      <div class="panel">{children}</div>
    </details>
  );
}

/** A menu of further actions: on the subject of the page, or on the item `about` of a list. */
export function MoreMenu({ about, children }: { about?: string; children: ComponentChildren }) {
  return (
    <Menu
      button={
        <span class={`button ${about === undefined ? 'plain' : 'ghost'} square`}>
          <Icon name="ellipsis" />
          <span class="hidden">{about === undefined ? 'More actions' : `Actions for ${about}`}</span>
        </span>
      }
    >
      {children}
    </Menu>
  );
}

interface ItemProps {
  icon: IconName;
  label: string;
  /** Completes the label for screen readers that read it out of context. */
  about?: string | undefined;
  isDanger?: boolean;
}

/** The link of a menu. */
export function MenuLink({ href, isCurrent, ...item }: ItemProps & { href: string; isCurrent?: boolean }) {
  return (
    <a href={href} class={classOf(item)} aria-current={isCurrent ? 'page' : undefined}>
      <ItemContent {...item} />
    </a>
  );
}

/** The button of a menu, which sends the form around it; unvalidated, if it has an address of its own. */
export function MenuButton({
  name,
  value,
  to,
  ...item
}: ItemProps & { name?: string; value?: string; to?: string | undefined }) {
  return (
    <button type="submit" name={name} value={value} formaction={to} formnovalidate={!!to} class={classOf(item)}>
      <ItemContent {...item} />
    </button>
  );
}

function classOf({ isDanger }: ItemProps): string {
  return isDanger ? 'item danger' : 'item';
}

function ItemContent({ icon, label, about }: ItemProps) {
  return (
    <>
      <Icon name={icon} />
      <span dir="auto">
        {label}
        {about && <span class="hidden"> {about}</span>}
      </span>
    </>
  );
}
