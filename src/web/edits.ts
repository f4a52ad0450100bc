/**
 * Asks before edits of a form are lost: when the page is left by a link, the address bar or a closed tab, but not when
 * the form is sent. What a link carries along in `data-carry` is not lost by it.
 */
export function guardEdits(form: HTMLFormElement): void {
  // Other scripts fill in the initial contents.
  const opened = contentsOf(form);
  let isSent = false;
  let carried: ReadonlySet<string> = new Set();

  const isEdited = (): boolean => {
    if (form.dataset.guard === 'edited') return true;
    const now = contentsOf(form);
    return [...new Set([...opened.keys(), ...now.keys()])].some(
      (name) => !carried.has(name) && opened.get(name) !== now.get(name),
    );
  };

  form.addEventListener('submit', ({ submitter, defaultPrevented }) => {
    if (defaultPrevented) return;
    // A button with a target, such as a preview, leaves the page open.
    isSent = submitter?.hasAttribute('formtarget') !== true;
  });
  // The browser may show the page again as it was left.
  addEventListener('pageshow', () => (isSent = false));
  addEventListener('beforeunload', (event) => {
    if (!isSent && isEdited()) event.preventDefault();
    carried = new Set();
  });

  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-carry]')) {
    link.addEventListener('click', ({ ctrlKey, metaKey, shiftKey }) => {
      const names = link.dataset.carry!.split(' ');
      // Otherwise the link opens elsewhere, and this page stays.
      if (!ctrlKey && !metaKey && !shiftKey) carried = new Set(names);
      const now = new FormData(form);
      const address = new URL(link.href);
      for (const name of names) {
        const value = now.get(name);
        if (typeof value === 'string' && value !== '') address.searchParams.set(name, value);
      }
      link.href = address.href;
    });
  }
}

/** Returns the contents of a form by the names of its fields. */
function contentsOf(form: HTMLFormElement): Map<string, string> {
  const contents = new Map<string, string>();
  for (const [name, value] of new FormData(form)) {
    contents.set(name, `${contents.get(name) ?? ''}\n${typeof value === 'string' ? value : value.name}`);
  }
  return contents;
}
