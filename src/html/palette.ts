/** The backgrounds of text in each theme, and the light theme's links. `src/web/tokens.css` has all colours. */
export const LIGHT_GROUNDS = ['#f8f9fa', '#ffffff'] as const;
export const DARK_GROUNDS = ['#111418', '#1a1e23'] as const;
export const LIGHT_LINK = '#0b5cad';
