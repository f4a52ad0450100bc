/**
 * Draws the response times of a monitor with uPlot: phases stacked and percentiles as lines, or a line for each location;
 * outages shaded. Steps without a check are gaps. Uses the colours of the theme and no animation.
 */
import type Chart from 'uplot';
import { axisText, type ChartData, lineStyle, millisecondsText, stackedLayers } from './chart-data.js';

/** Loaded by a separate script. */
declare const uPlot: typeof Chart;

const HEIGHT = 280;

for (const place of document.querySelectorAll<HTMLElement>('[data-chart]')) {
  load(place).catch(() => {
    place.textContent = 'The chart could not be loaded. The table has the same figures.';
  });
}

async function load(place: HTMLElement): Promise<void> {
  const answer = await fetch(place.dataset.chart!, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(String(answer.status));
  const data = (await answer.json()) as ChartData;
  if (data.steps.every((step) => step.count === 0)) {
    place.textContent = 'No scheduled checks passed in this period.';
    return;
  }
  let chart = draw(place, data);
  new ResizeObserver(() => {
    if (place.clientWidth !== chart.width) chart.setSize({ width: place.clientWidth, height: HEIGHT });
  }).observe(place);
  const again = (): void => {
    chart.destroy();
    chart = draw(place, data);
  };
  new MutationObserver(again).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
}

function draw(place: HTMLElement, data: ChartData): Chart {
  place.replaceChildren();
  const colour = colourReader(place);
  const outageColour = colour('--outage');
  const drawn = data.locations.length > 0 ? locationLines(data, colour) : phasesAndPercentiles(data, colour);
  const axis: Chart.Axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line') },
    font: '12px Inter, system-ui',
  };
  const options: Chart.Options = {
    width: place.clientWidth,
    height: HEIGHT,
    scales: {
      x: { range: [data.fromMs / 1_000, data.toMs / 1_000] },
      y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] },
    },
    series: [{ value: (_, at: number | null) => momentText(at) }, ...drawn.map(({ series }) => series)],
    axes: [
      { ...axis, values: (_, moments, __, ___, step) => moments.map((at) => axisText(at, step)) },
      { ...axis, size: 64, values: (_, values) => values.map(millisecondsText) },
    ],
    // Lines may have the same colour and differ in their style.
    legend: { markers: { dash: (chart, index) => markerOf(chart.series[index]?.dash) } },
    cursor: { drag: { x: false, y: false } },
    hooks: { drawAxes: [(chart) => shade(chart, data.outages, outageColour)] },
  };
  const columns: Chart.AlignedData = [
    data.steps.map((step) => step.fromMs / 1_000),
    ...drawn.map(({ values }) => values),
  ];
  return new uPlot(options, columns, place);
}

/** A series with its values, one for each step. */
interface Drawn {
  series: Chart.Series;
  values: (number | null)[];
}

type ColourReader = (name: string) => string;

const inMs = (_: Chart, value: number | null): string => millisecondsText(value);

function phasesAndPercentiles({ steps }: ChartData, colour: ColourReader): Drawn[] {
  const line = { stroke: colour('--text'), points: { size: 4 }, value: inMs };
  const layers = stackedLayers(steps).map(({ phase, label, values }): Drawn => {
    const ofStep = (index: number | null): number | null => (index === null ? null : (steps[index]?.[phase] ?? null));
    const series: Chart.Series = {
      label,
      width: 0,
      fill: colour(`--phase-${phase}`),
      points: { show: false },
      value: (_, __, ___, index) => millisecondsText(ofStep(index)),
    };
    return { series, values };
  });
  return [
    ...layers,
    { series: { label: 'p50', ...line, width: 1.5 }, values: steps.map((step) => step.p50Ms) },
    { series: { label: 'p95', ...line, width: 1, dash: [4, 4] }, values: steps.map((step) => step.p95Ms) },
  ];
}

function locationLines({ locations }: ChartData, colour: ColourReader): Drawn[] {
  return locations.map(({ name, p50Ms }, index) => {
    const style = lineStyle(index);
    const stroke = colour(style.colour);
    const dash = style.dash.length > 0 ? { dash: style.dash } : {};
    return { series: { label: name, stroke, width: 2, points: { size: 4 }, ...dash, value: inMs }, values: p50Ms };
  });
}

function markerOf(dash: number[] | undefined): 'solid' | 'dashed' | 'dotted' {
  if (!dash || dash.length === 0) return 'solid';
  return dash[0]! < 4 ? 'dotted' : 'dashed';
}

/** Returns custom properties as colours of the current theme. Computed styles resolve `light-dark()`. */
function colourReader(place: HTMLElement): ColourReader {
  return (name) => {
    const probe = place.appendChild(document.createElement('span'));
    probe.style.color = `var(${name})`;
    const colour = getComputedStyle(probe).color;
    probe.remove();
    return colour;
  };
}

function shade(chart: Chart, outages: ChartData['outages'], colour: string): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.fillStyle = colour;
  for (const { from, to } of outages) {
    const left = Math.max(bbox.left, chart.valToPos(from / 1_000, 'x', true));
    const right = Math.min(bbox.left + bbox.width, chart.valToPos(to / 1_000, 'x', true));
    if (right > left) ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
  }
  ctx.restore();
}

function momentText(seconds: number | null): string {
  if (seconds === null) return '–';
  return new Date(seconds * 1_000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
