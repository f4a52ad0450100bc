/**
 * Draws the response times of a monitor by uPlot: phases stacked, percentiles as lines, outages shaded. Where there was
 * no check there is a gap. Colours are those of the theme; nothing moves.
 */
export const CHART_SCRIPT = `'use strict';
(() => {
  const PHASES = [['dnsMs', 'DNS'], ['connectMs', 'Connect'], ['tlsMs', 'TLS'], ['firstByteMs', 'First byte'], ['transferMs', 'Transfer']];
  const text = (ms) => (ms == null ? '–' : ms === 0 ? '0 ms' : ms >= 10000 ? (ms / 1000).toFixed(1) + ' s' : ms < 10 ? ms.toFixed(1) + ' ms' : Math.round(ms) + ' ms');
  const HEIGHT = 280;

  function draw(place, data) {
    place.replaceChildren();
    const style = getComputedStyle(place);
    const colour = (name) => style.getPropertyValue(name).trim();
    const steps = data.steps;
    const shown = PHASES.filter(([phase]) => steps.some((step) => step[phase] > 0));
    const layers = [];
    shown.reduce((below, [phase, label]) => {
      const values = steps.map((step, index) => (step.count === 0 ? null : (below ? below[index] : 0) + (step[phase] ?? 0)));
      layers.push({ phase, label, values });
      return values;
    }, null);
    layers.reverse();
    const series = [
      { value: (_, at) => (at == null ? '–' : new Date(at * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })) },
      ...layers.map(({ phase, label }) => ({
        label,
        width: 0,
        fill: colour('--phase-' + phase),
        points: { show: false },
        value: (_, value, __, index) => text(index == null ? null : steps[index][phase]),
      })),
      { label: 'p50', stroke: colour('--text'), width: 1.5, points: { size: 4 }, value: (_, value) => text(value) },
      { label: 'p95', stroke: colour('--text'), width: 1, dash: [4, 4], points: { size: 4 }, value: (_, value) => text(value) },
    ];
    const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 }, ticks: { stroke: colour('--line') }, font: '12px system-ui' };
    const shade = (chart) => {
      const { ctx, bbox } = chart;
      ctx.save();
      ctx.fillStyle = colour('--outage');
      for (const { from, to } of data.outages) {
        const left = Math.max(bbox.left, chart.valToPos(from / 1000, 'x', true));
        const right = Math.min(bbox.left + bbox.width, chart.valToPos(to / 1000, 'x', true));
        if (right > left) ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
      }
      ctx.restore();
    };
    return new uPlot({
      width: place.clientWidth,
      height: HEIGHT,
      scales: { x: { range: [data.fromMs / 1000, data.toMs / 1000] }, y: { range: (_, min, max) => [0, Math.max(1, max * 1.05)] } },
      series,
      axes: [axis, { ...axis, size: 64, values: (_, values) => values.map(text) }],
      // As the lines are drawn: their colour is the same.
      legend: { markers: { dash: (chart, index) => (chart.series[index].dash ? 'dashed' : 'solid') } },
      cursor: { drag: { x: false, y: false } },
      hooks: { drawAxes: [shade] },
    }, [steps.map((step) => step.fromMs / 1000), ...layers.map(({ values }) => values), steps.map((step) => step.p50Ms), steps.map((step) => step.p95Ms)], place);
  }

  for (const place of document.querySelectorAll('[data-chart]')) {
    fetch(place.dataset.chart, { headers: { accept: 'application/json' } })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status)))))
      .then((data) => {
        if (data.steps.every((step) => step.count === 0)) {
          place.textContent = 'No check has passed in this time.';
          return;
        }
        let chart = draw(place, data);
        new ResizeObserver(() => {
          if (place.clientWidth !== chart.width) chart.setSize({ width: place.clientWidth, height: HEIGHT });
        }).observe(place);
        const again = () => { chart.destroy(); chart = draw(place, data); };
        new MutationObserver(again).observe(document.documentElement, { attributeFilter: ['data-theme'] });
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
      })
      .catch(() => { place.textContent = 'The chart could not be loaded. The table has the same figures.'; });
  }
})();
`;
