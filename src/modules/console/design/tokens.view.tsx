import { ICON_NAMES } from '../../../html/icons.js';
import { MARK_WORDS } from '../../../html/marks.js';
import { Icon } from '../html/icon.js';
import { State } from '../html/state.js';
import { Example } from './example.js';
import { CHART_COLOURS, MARKS, NEUTRAL_COLOURS, TYPE_SIZES } from './examples.js';

/** The type sizes, colours and icons that everything else is made of. */
export function Tokens() {
  return (
    <>
      <h2>Tokens</h2>
      <Example name="Type">
        {TYPE_SIZES.map((size) => (
          <p key={size} class={`type-${size}`}>
            {size} px: Checkout has been unreachable since 14:02
          </p>
        ))}
      </Example>
      <Example name="Neutral colours and accent">
        <Swatches names={NEUTRAL_COLOURS} />
      </Example>
      <Example name="States: always colour, shape and word">
        <ul class="chips">
          {MARKS.map((mark) => (
            <li key={mark} class={`chip ${mark}`}>
              <State mark={mark} word={MARK_WORDS[mark]} />
            </li>
          ))}
        </ul>
      </Example>
      <Example name="Chart">
        <Swatches names={CHART_COLOURS} />
      </Example>
      <Example name="Icons (Lucide)">
        <ul class="swatches">
          {ICON_NAMES.map((name) => (
            <li key={name}>
              <Icon name={name} /> <code>{name}</code>
            </li>
          ))}
        </ul>
      </Example>
    </>
  );
}

function Swatches({ names }: { names: readonly string[] }) {
  return (
    <ul class="swatches">
      {names.map((name) => (
        <li key={name}>
          <svg viewBox="0 0 8 8" aria-hidden="true">
            <rect width="8" height="8" rx="1" fill={`var(--${name})`} />
          </svg>
          <code>--{name}</code>
        </li>
      ))}
    </ul>
  );
}
