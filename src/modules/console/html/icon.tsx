import { type IconName } from '../../../html/icons.js';
import { assetPath } from './asset-path.js';

/** An icon beside its words, hidden from screen readers. A control with an icon alone needs a hidden label. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`${assetPath('icons.svg')}#${name}`} />
    </svg>
  );
}

/** The mark of the product: a pulse on the accent colour. */
export function Logo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" />
      <path d="M4 13h3.5l2.5-7 4 12 2.5-5H20" />
    </svg>
  );
}
