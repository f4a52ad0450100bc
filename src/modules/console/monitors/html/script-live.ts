/**
 * Keeps a page of monitors as they are: it follows the events that the page names and puts the parts that changed in
 * their places, which are as large as before. While nobody sees the page it lets go of the connection.
 */
export const LIVE_SCRIPT = `'use strict';
(() => {
  const place = document.querySelector('[data-events]');
  if (!place) return;
  const word = place.querySelector('[data-live-word]');
  const asOf = word.textContent;
  const fresh = place.querySelector('[data-live-new]');
  let created = 0;
  let source = null;

  const UNITS = [[86400, 'day'], [3600, 'hour'], [60, 'minute'], [1, 'second']];
  function writeAges(root) {
    for (const one of root.querySelectorAll('[data-since]')) {
      const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(one.dataset.since)) / 1000));
      const [length, unit] = UNITS.find(([length]) => seconds >= length) ?? UNITS[3];
      const count = Math.floor(seconds / length);
      const text = count + ' ' + unit + (count === 1 ? '' : 's');
      if (one.textContent !== text) one.textContent = text;
    }
  }
  function rootsOf(id) {
    return document.querySelectorAll('[data-monitor="' + CSS.escape(id) + '"]');
  }
  function show(update) {
    for (const root of rootsOf(update.id)) {
      for (const [part, html] of Object.entries(update.parts)) {
        for (const one of root.querySelectorAll('[data-live="' + part + '"]')) {
          one.innerHTML = html;
          writeTimes(one);
        }
      }
      if (!('tab' in root.dataset)) continue;
      document.title = update.title;
      document.querySelector('link[rel=icon]').href = update.icon;
    }
  }
  function follow() {
    if (document.hidden || source) return;
    source = new EventSource(place.dataset.events);
    source.addEventListener('open', () => { word.textContent = 'Live.'; });
    source.addEventListener('error', () => { word.textContent = 'Not live now. ' + asOf; });
    source.addEventListener('monitor', (event) => show(JSON.parse(event.data)));
    source.addEventListener('gone', (event) => {
      for (const root of rootsOf(JSON.parse(event.data).id)) {
        for (const one of root.querySelectorAll('[data-live=state],[data-live=sentence]')) one.textContent = 'Deleted';
      }
    });
    source.addEventListener('created', (event) => {
      if ('liveFirst' in place.dataset) return location.reload();
      created += JSON.parse(event.data).count;
      fresh.textContent = created === 1 ? '1 new monitor: show' : created + ' new monitors: show';
      fresh.hidden = false;
    });
  }
  function rest() {
    source?.close();
    source = null;
  }
  document.addEventListener('visibilitychange', () => (document.hidden ? rest() : follow()));
  addEventListener('pagehide', rest);
  addEventListener('pageshow', follow);
  setInterval(() => writeAges(document), 5000);
  follow();
})();
`;
