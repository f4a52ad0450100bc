/** Module hooks that replace the text of a module by that of a broken variant. */
import { type InitializeHook, type LoadHook } from 'node:module';
import { brokenText, type Variant, VARIANTS } from './variants.js';

let variant: Variant | undefined;

export const initialize: InitializeHook<string> = (name) => {
  variant = VARIANTS.find((one) => one.name === name);
  if (!variant) throw new Error(`There is no variant ${name}.`);
};

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  if (!variant || !url.endsWith(`/src/${variant.file}`)) return loaded;
  return { ...loaded, source: brokenText(variant, Buffer.from(loaded.source as Uint8Array).toString()) };
};
