/**
 * Keeps a page of monitors as they are: it follows the events that the page names and puts the parts that changed in
 * their places, which are as large as before; where a reader is about to act, once they leave. While nobody sees the page it lets go of the connection.
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
  // A part with links waits while its reader points at one, has the focus in it or selects from it.
  const waiting = new Map();
  function mustWait(one) {
    if (!one.querySelector('a')) return false;
    const selection = getSelection();
    return one.matches(':focus-within') || one.querySelector('a:hover') || (!selection.isCollapsed && selection.containsNode(one, true));
  }
  function put(one, html) {
    if (mustWait(one)) return waiting.set(one, html);
    waiting.delete(one);
    one.innerHTML = html;
    writeTimes(one);
  }
  function putWaiting() {
    for (const [one, html] of waiting) put(one, html);
  }
  for (const type of ['pointerout', 'focusout', 'selectionchange']) {
    // By then the pointer or the focus is where it goes.
    document.addEventListener(type, () => { if (waiting.size > 0) setTimeout(putWaiting); });
  }
  function showTab({ title, icon }) {
    document.title = title;
    document.querySelector('link[rel=icon]').href = icon;
  }
  function show(update) {
    for (const root of rootsOf(update.id)) {
      for (const [part, html] of Object.entries(update.parts)) {
        for (const one of root.querySelectorAll('[data-live="' + part + '"]')) put(one, html);
      }
    }
  }
  function follow() {
    if (document.hidden || source) return;
    source = new EventSource(place.dataset.events);
    source.addEventListener('open', () => { word.textContent = 'Live.'; });
    source.addEventListener('error', () => { word.textContent = 'Not live now. ' + asOf; });
    source.addEventListener('monitor', (event) => {
      const update = JSON.parse(event.data);
      show(update);
      if ([...rootsOf(update.id)].some((root) => 'tab' in root.dataset)) showTab(update);
    });
    source.addEventListener('evidence', (event) => show(JSON.parse(event.data)));
    source.addEventListener('counts', (event) => {
      const update = JSON.parse(event.data);
      for (const one of document.querySelectorAll('[data-live-counts]')) put(one, update.html);
      showTab(update);
    });
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
