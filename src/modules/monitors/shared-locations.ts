import { remembering } from '../../domain/memo.js';

const locationsOf = remembering((text): readonly string[] => text.split(' '));

/** Returns the same array for equal locations, because most monitors have the same ones. */
export const sharedLocations = (locations: readonly string[]): readonly string[] => locationsOf(locations.join(' '));
