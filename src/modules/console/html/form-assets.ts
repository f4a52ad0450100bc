/** The assets of pages with long forms. */
export const FORMS_STYLE = 'forms.css';
export const FORMS_SCRIPT = 'forms.js';
