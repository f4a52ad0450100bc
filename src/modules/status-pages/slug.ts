/** What may stand under `/status/`. `CreateStatusPageDto` spells it out, too: the OpenAPI document is made from there. */
export const SLUG = /^[a-z0-9-]{1,63}$/;
