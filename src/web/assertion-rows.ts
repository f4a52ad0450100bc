/** Where the number of a row stands in the names of its fields, which may begin with that of a step. */
const OF_ROW = /(?<=assertion-)\d{1,3}/;

/** Replaces the empty rows of a list of assertions by a button that adds one, and lets rows be removed. */
export function addAssertions(list: HTMLElement): void {
  const most = Number(list.dataset.assertions);
  const add = list.querySelector<HTMLButtonElement>('[data-add-assertion]')!;
  const rows = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[data-assertion]')];
  const blank = blankOf(rows().at(-1)!);
  for (const row of rows()) if (sourceOf(row).value === '') row.remove();

  const showWhetherFull = (): void => {
    add.disabled = rows().length >= most;
  };
  add.addEventListener('click', () => {
    const taken = new Set(rows().map((row) => numberOf(row)));
    const free = Array.from({ length: most }, (_, number) => number).find((number) => !taken.has(number));
    if (free === undefined) return;
    const row = blank.cloneNode(true) as HTMLElement;
    renumber(row, free);
    (rows().at(-1) ?? list.querySelector('.help'))!.after(row);
    const source = sourceOf(row);
    source.selectedIndex = 1;
    source.focus();
    showWhetherFull();
  });
  list.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-remove-assertion]') : null;
    if (!button) return;
    button.closest('[data-assertion]')!.remove();
    showWhetherFull();
    add.focus();
    list.dispatchEvent(new Event('input', { bubbles: true }));
  });
  showWhetherFull();
}

function blankOf(row: HTMLElement): HTMLElement {
  const blank = row.cloneNode(true) as HTMLElement;
  blank.querySelector('.error')?.remove();
  for (const field of blank.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
    if (field instanceof HTMLInputElement) field.value = '';
    else for (const option of field.options) option.removeAttribute('selected');
  }
  return blank;
}

function sourceOf(row: HTMLElement): HTMLSelectElement {
  return row.querySelector('select')!;
}

function numberOf(row: HTMLElement): number {
  return Number(OF_ROW.exec(sourceOf(row).name)![0]);
}

/** The names of fields count from 0, the labels from 1. */
function renumber(row: HTMLElement, number: number): void {
  const source = sourceOf(row);
  source.id = source.id.replace(/\d{1,3}$/, String(number));
  for (const one of row.querySelectorAll('[aria-label]')) {
    one.setAttribute('aria-label', one.getAttribute('aria-label')!.replace(/\d{1,3}/, String(number + 1)));
  }
  for (const field of row.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]')) {
    field.name = field.name.replace(OF_ROW, String(number));
  }
}
