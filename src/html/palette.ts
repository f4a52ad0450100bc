/** The backgrounds of text in each theme, and the light theme's links. `src/web/tokens.css` has all colours. */
export const LIGHT_GROUNDS = ['#f7f8fa', '#ffffff'] as const;
export const DARK_GROUNDS = ['#0e1116', '#161a21'] as const;
export const LIGHT_LINK = '#4338ca';
