import { ASSETS_VERSION } from '../../../html/assets.js';

/** Returns the path of an asset of the application, such as a file of `src/web`. */
export function assetPath(name: string): string {
  return `/assets/${ASSETS_VERSION}/${name}`;
}
