import { createHash } from 'node:crypto';

/**
 * The one script of the public pages, which need none. Each time tells on hover what it is where the reader is; and an open
 * page follows by itself, once a minute while somebody can see it. A failure says nothing: the page stays, and the time
 * that it states says how old it is.
 */
export const PAGE_SCRIPT = `'use strict';
const EVERY_MS = 60000;
// What a page is drawn with, and which images its policy allows, is settled when it is loaded.
const SETTLED = 'meta[name=color-scheme], link[rel=stylesheet], script, .head img';
const root = document.querySelector('.page');
let lookedAtMs = Date.now();
let isLooking = false;
let shown = null;

function writeTimes(part) {
  for (const time of part.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const here = at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
    time.title += '\\n' + here + ' (your time)';
  }
}

// Screen readers tell what changes in a place that stays. How long something has lasted is no news.
const news = document.createElement('p');
news.className = 'hidden';
news.setAttribute('aria-live', 'polite');
document.body.prepend(news);
function sentenceOf(part) {
  const sentence = part.querySelector('.overall').cloneNode(true);
  for (const lasting of sentence.querySelectorAll('.lasting')) lasting.remove();
  return sentence.textContent;
}

function settledOf(page) {
  return [...page.querySelectorAll(SETTLED)].map((one) => one.outerHTML).join();
}

function show(next) {
  const part = next.querySelector('.page');
  const opened = new Set([...root.querySelectorAll('details[open] summary')].map((one) => one.textContent));
  for (const summary of part.querySelectorAll('summary')) summary.parentElement.open = opened.has(summary.textContent);
  writeTimes(part);
  const sentence = sentenceOf(part);
  if (sentence !== sentenceOf(root)) news.textContent = sentence;
  // An image that is put in anew would be seen to load.
  for (const place of ['.head', 'main', 'footer']) {
    const [old, fresh] = [root, part].map((one) => one.querySelector(place));
    if (!old.isEqualNode(fresh)) old.replaceWith(fresh);
  }
  document.title = next.title;
  document.querySelector('link[rel=icon]').href = next.querySelector('link[rel=icon]').href;
}

// Whoever goes by keyboard, or is about to copy something, would lose the place.
function isInUse() {
  return root.querySelector(':focus-visible') !== null || !getSelection().isCollapsed;
}

async function look() {
  const answer = await fetch(location.href, { cache: 'no-cache', redirect: 'error' });
  const text = await answer.text();
  // The browser has just asked for a password, in vain; it is not to ask every minute.
  if (answer.status === 401) lookedAtMs = Infinity;
  if (!answer.ok || text === shown || isInUse()) return;
  const next = new DOMParser().parseFromString(text, 'text/html');
  // In a strange network something else may answer.
  if (!next.querySelector('.page .overall')) return;
  if (settledOf(next) !== settledOf(document)) return location.reload();
  show(next);
  shown = text;
}

async function follow() {
  if (document.hidden || isLooking || Date.now() - lookedAtMs < EVERY_MS) return;
  lookedAtMs = Date.now();
  isLooking = true;
  try {
    await look();
  } catch {
    // The next look may succeed.
  } finally {
    isLooking = false;
  }
}

writeTimes(document);
document.addEventListener('visibilitychange', follow);
setInterval(follow, 5000);
`;

/** Changes with the script, so that caches may keep it for good. */
export const PAGE_SCRIPT_VERSION = createHash('sha256').update(PAGE_SCRIPT).digest('hex').slice(0, 12);
