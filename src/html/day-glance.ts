import { barParts, daysBeforeData, type ShownDay } from './day-figures.js';
import { BAR_HEIGHT, BAR_STEP, EMPTY_SLOT, fillOf, gapOf } from './day-markup.js';
import { type Mark } from './marks.js';

/** These bars are two or three pixels wide, so trouble takes at least a third of their height. */
const LEAST_SHARE_OF_TROUBLE = 0.5;

/**
 * Returns the bars of days with one path per kind, for lists of many: a fifth of the markup of `barsMarkup`, without
 * tooltips. The markup contains no input of callers.
 */
export function glanceMarkup(days: readonly ShownDay[]): string {
  const width = BAR_STEP - gapOf(days.length);
  const empty = daysBeforeData(days);
  const paths = new Map<Mark, string>();
  let slots = '';
  days.forEach((day, index) => {
    if (index < empty) {
      slots += `M${index * BAR_STEP} 0h${width}v${BAR_HEIGHT}h-${width}z`;
      return;
    }
    for (const { kind, from, share } of barParts(day, LEAST_SHARE_OF_TROUBLE)) {
      const [top, height] = [BAR_HEIGHT * (1 - from - share), BAR_HEIGHT * share].map(
        (one) => Math.round(one * 10) / 10,
      );
      paths.set(kind, `${paths.get(kind) ?? ''}M${index * BAR_STEP} ${top}h${width}v${height}h-${width}z`);
    }
  });
  const bars = [...paths].map(([kind, path]) => `<path ${fillOf(kind)} d="${path}"/>`).join('');
  return slots === '' ? bars : `<path ${EMPTY_SLOT} d="${slots}"/>${bars}`;
}

/** Returns the view box for a number of bars. */
export function barsViewBox(count: number): string {
  return `0 0 ${count * BAR_STEP - gapOf(count)} ${BAR_HEIGHT}`;
}
