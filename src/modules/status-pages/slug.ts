/** Valid slugs. `CreateStatusPageDto` repeats the pattern, because the OpenAPI document is generated from it. */
export const SLUG = /^[a-z0-9-]{1,63}$/;
