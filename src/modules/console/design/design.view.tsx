import { HatchPattern } from '../../../html/day-history.js';
import { page } from '../html/layout.js';
import { DAYS_SCRIPT, MONITOR_STYLES } from '../monitors/assets.js';
import { type PageFrame } from '../page-frame.js';
import { Content, Messages } from './content.view.js';
import { Controls } from './controls.view.js';
import { Tokens } from './tokens.view.js';

/** Renders the gallery. Each example uses the component that pages use, so that the gallery cannot differ from them. */
export function renderDesign(frame: PageFrame): string {
  return page(frame, {
    title: 'Design',
    trail: [{ label: 'Overview', href: '/' }],
    styles: [...MONITOR_STYLES, 'design.css'],
    scripts: [DAYS_SCRIPT],
    tools: <span class="quiet">Components of src/web and src/modules/console/html</span>,
    action: { label: 'Main action', href: '/design' },
    children: (
      <>
        <HatchPattern />
        <Tokens />
        <Controls />
        <Content />
        <Messages />
      </>
    ),
  });
}
