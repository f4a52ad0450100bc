import { enhance } from './enhance.js';

interface LoadOptions {
  signal?: AbortSignal;
  /** Whether a part may be replaced at the moment. By default, all of them. */
  mayReplace?: (part: HTMLElement) => boolean;
}

/**
 * Loads a page of the same kind and replaces the marked parts by its own. Returns whether all of them were replaced.
 * Rejects if there is no such page.
 */
export async function loadParts(address: string, { signal, mayReplace }: LoadOptions = {}): Promise<boolean> {
  return swapParts(await loadPage(address, signal ? { signal } : {}), mayReplace);
}

/** Loads a page. Rejects if the answer is a refusal or a sign-in page, which have other parts. */
export async function loadPage(address: string, request: RequestInit = {}): Promise<Document> {
  const answer = await fetch(address, { ...request, headers: { accept: 'text/html' } });
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Returns what a form sends, with a button as if that was pressed. */
export function contentsOf(form: HTMLFormElement, button: HTMLElement | null = null): URLSearchParams {
  const contents = new URLSearchParams();
  for (const [name, value] of new FormData(form, button)) if (typeof value === 'string') contents.append(name, value);
  return contents;
}

/**
 * Replaces the marked parts of the page by those of a newly loaded one, except those that must stay for now. Returns
 * whether all of them were replaced.
 */
export function swapParts(loaded: Document, mayReplace: (part: HTMLElement) => boolean = () => true): boolean {
  let isComplete = true;
  for (const old of document.querySelectorAll<HTMLElement>('[data-swap]')) {
    const found = loaded.querySelector(`[data-swap="${old.dataset.swap!}"]`);
    if (!found) continue;
    if (!mayReplace(old)) {
      isComplete = false;
      continue;
    }
    const fresh = document.importNode(found, true);
    enhance(fresh);
    old.replaceWith(fresh);
  }
  document.dispatchEvent(new Event('swapped'));
  return isComplete;
}
