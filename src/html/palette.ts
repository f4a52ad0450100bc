/** What texts of a theme stand on. */
export const LIGHT_GROUNDS = ['#f8f9fa', '#ffffff'] as const;
export const DARK_GROUNDS = ['#111418', '#1a1e23'] as const;
export const LIGHT_LINK = '#0b5cad';

/** The colours of one theme: text at least 4.5 : 1, marks at least 3 : 1 on their ground. */
export const LIGHT = `--ground:${LIGHT_GROUNDS[0]};--card:${LIGHT_GROUNDS[1]};--line:#dee2e6;--text:#1a1d21;--quiet:#565e67;--link:${LIGHT_LINK};
--up:#2b8a3e;--degraded:#b35c00;--down:#c92a2a;--maintenance:#1864ab;--paused:#6c757d;--excluded:#7048a8;--unknown:#6c757d;--hatch:#e9ecef;color-scheme:light`;
export const DARK = `--ground:${DARK_GROUNDS[0]};--card:${DARK_GROUNDS[1]};--line:#343a40;--text:#f1f3f5;--quiet:#adb5bd;--link:#74b9ff;
--up:#40c057;--degraded:#fab005;--down:#ff6b6b;--maintenance:#4dabf7;--paused:#868e96;--excluded:#b197fc;--unknown:#868e96;--hatch:#2b3036;color-scheme:dark`;
