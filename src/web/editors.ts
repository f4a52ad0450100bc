/**
 * Enhancements for forms: search boxes search on Enter, a typed name survives a change of type, the time zone defaults
 * to the reader's, colours get a picker.
 */
const COLOUR = /^#[0-9a-f]{6}$/i;

// Otherwise Enter would press the first button of the form.
for (const box of document.querySelectorAll<HTMLInputElement>('input[data-search]')) {
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    document.getElementById(box.dataset.search!)?.click();
  });
}

// The form of another type of monitor starts with the name that has been typed.
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-with-name]')) {
  link.addEventListener('click', () => {
    const address = new URL(link.href);
    const typed = document.querySelector<HTMLInputElement>('input[name=name]')?.value ?? '';
    if (typed !== '') address.searchParams.set('name', typed);
    link.href = address.href;
  });
}

for (const field of document.querySelectorAll<HTMLInputElement>('input[data-own-zone]')) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || field.value;
}

for (const picker of document.querySelectorAll<HTMLInputElement>('input[data-colour-of]')) {
  const field = document.getElementById(picker.dataset.colourOf!);
  if (!(field instanceof HTMLInputElement)) continue;
  const show = (): void => {
    const typed = field.value.trim();
    picker.value = COLOUR.test(typed) ? typed.toLowerCase() : picker.defaultValue;
  };
  field.addEventListener('input', show);
  picker.addEventListener('input', () => (field.value = picker.value));
  show();
  picker.hidden = false;
}
