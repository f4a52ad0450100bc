/** Shown in place of a secret. Sent back in a write, it keeps the stored secret. */
export const MASK = '********';
