/**
 * What editors are easier with: Enter in a search box searches, be there other buttons before its own; an untouched
 * field for a time zone begins with the reader's; and a colour can be chosen as well as typed.
 */
export const EDITOR_SCRIPT = `
for (const box of document.querySelectorAll('input[data-search]')) {
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    document.getElementById(box.dataset.search).click();
  });
}
for (const field of document.querySelectorAll('input[data-own-zone]')) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || field.value;
}
for (const picker of document.querySelectorAll('input[data-colour-of]')) {
  const field = document.getElementById(picker.dataset.colourOf);
  const show = () => {
    const typed = field.value.trim();
    picker.value = /^#[0-9a-f]{6}$/i.test(typed) ? typed.toLowerCase() : picker.defaultValue;
  };
  field.addEventListener('input', show);
  picker.addEventListener('input', () => { field.value = picker.value; });
  show();
  picker.hidden = false;
}
`;
