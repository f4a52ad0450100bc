import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { PROBES } from '../../../probes/index.js';
import { type ShownMatchDto } from '../../notification-policies/dto/notification-policy.dto.js';
import { inOrderOf, listedOr } from '../field-values.js';
import { type Choice } from '../html/fields.js';
import { MONITORS_FIELD, pickedIds } from '../picker/picked-ids.js';

/** The labels of the controls of a match, in page order. */
export const MATCH_LABELS = {
  '/match': 'Monitors',
  '/match/monitorIds': 'Monitors by name',
  '/match/tags': 'Any of these tags',
  '/match/allTags': 'All of these tags',
  '/match/types': 'Types',
  '/match/notTags': 'None of these tags',
} as const;

/** The field that chooses between all monitors and the other controls. */
export const SCOPE_FIELD = 'scope';
const CHOSEN = 'chosen';
export const SCOPE_CHOICES: readonly Choice[] = [
  { value: 'all', label: 'All monitors', help: 'including future ones' },
  { value: CHOSEN, label: 'Selected monitors', help: 'by name, tag or type' },
];

export const MATCH_DEFAULTS = { [SCOPE_FIELD]: 'all' };

const TAG_LISTS = ['tags', 'allTags', 'notTags'] as const;
const TYPES = PROBES.map(({ type }) => type);

export function typeField(type: string): string {
  return `type.${type}`;
}

/** Returns the contents of the controls for a stored match. */
export function matchTexts(match: ShownMatchDto): Record<string, string> {
  return {
    [SCOPE_FIELD]: match.all ? 'all' : CHOSEN,
    [MONITORS_FIELD]: match.monitorIds.join(),
    ...Object.fromEntries(TAG_LISTS.map((name) => [name, match[name].join(', ')])),
    ...Object.fromEntries(match.types.map((type) => [typeField(type), 'on'])),
  };
}

/**
 * Returns the match that the controls describe. `stored` is the match that the form was opened with: a list of tags that
 * has not been edited is kept as it is, because a tag may contain a comma.
 */
export function matchOfForm(form: FormFields, stored: ShownMatchDto | null = null): ShownMatchDto {
  if (form.text(SCOPE_FIELD) !== CHOSEN) {
    return { all: true, monitorIds: [], tags: [], allTags: [], notTags: [], types: [] };
  }
  const tagsIn = (name: (typeof TAG_LISTS)[number]): string[] => listedOr(stored?.[name], form.text(name));
  return {
    all: false,
    monitorIds: pickedIds(form.text(MONITORS_FIELD)),
    tags: tagsIn('tags'),
    allTags: tagsIn('allTags'),
    notTags: tagsIn('notTags'),
    types: inOrderOf(
      stored?.types,
      TYPES.filter((type) => form.has(typeField(type))),
    ),
  };
}

/** Returns a match in the form that the API accepts, also as a merge patch. */
export function matchBody(form: FormFields, stored: ShownMatchDto | null = null): JsonObject {
  const { all, ...lists } = matchOfForm(form, stored);
  return { all, ...lists };
}
