import { FORMS_STYLE } from '../html/form-assets.js';

/** Files of `src/web` that the pages of notifications need. The filters look like those of monitors. */
export const NOTIFICATION_STYLES = [FORMS_STYLE, 'monitors.css', 'notifications.css'];
/** Keeps the sentence about a policy up to date. */
export const SENTENCE_SCRIPT = 'sentence.js';
