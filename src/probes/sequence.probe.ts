import { httpProbe } from './http.probe.js';
import { httpSecretPaths } from './http/http-fields.rules.js';
import { completeSettings } from './http/http-settings.js';
import { type ProbeDefinition } from './probe.js';
import { checkSequence, type CompleteStep } from './sequence/sequence-check.js';
import { SequenceFields, type SequenceStep } from './sequence/sequence-fields.dto.js';
import { SEQUENCE_FORM } from './sequence/sequence-form.js';

export { SequenceFields };

const STEP_DEFAULTS = { ...httpProbe.defaults, extract: [] };

export const sequenceProbe: ProbeDefinition<SequenceFields> = {
  type: 'sequence',
  label: 'HTTP sequence',
  summary: 'Sends up to ten HTTP requests in order, with values from earlier responses; passes if each step passes.',
  example: {
    key: 'sign-in',
    name: 'Sign in',
    settings: { steps: [{ name: 'Home', url: 'https://example.com/' }] },
  },
  fields: SequenceFields,
  defaults: { assertions: [] },
  form: SEQUENCE_FORM,
  target: ({ settings: { steps } }) => {
    const more = steps.length > 1 ? ` and ${steps.length - 1} more` : '';
    return httpProbe.target(steps[0]!) + more;
  },
  hosts: ({ settings: { steps } }) =>
    steps.flatMap((step, index) =>
      httpProbe.hosts(step).map(({ pointer, host }) => ({ pointer: `/settings/steps/${index}${pointer}`, host })),
    ),
  secretPaths: ({ settings: { steps } }) =>
    steps.flatMap((step, index) => httpSecretPaths(step).map((path) => ['settings', 'steps', String(index), ...path])),
  secretScope: ({ settings: { steps } }, path) => {
    const [, , place, ...below] = path;
    return httpProbe.secretScope(steps[Number(place)]!, below);
  },
  // Steps are known by their names, because they may change their places. One with another name has kept its place.
  storedPath: (path, changed, stored) => {
    const { name } = changed.settings.steps[Number(path[2])]!;
    const place = stored.settings.steps.findIndex((step) => step.name === name);
    return place < 0 ? path : path.with(2, String(place));
  },
  complete: ({ settings: { steps }, ...fields }) => ({
    ...fields,
    settings: { steps: steps.map((step) => ({ ...completed(step), settings: completeSettings(step.settings) })) },
  }),
  probe: ({ settings: { steps }, assertions = [] }, context) =>
    checkSequence(steps.map(completed), assertions, context),
};

/** Returns a step with defaults. Runs for each check, like its counterpart of HTTP monitors. */
function completed(step: SequenceStep): CompleteStep {
  return Object.assign({}, STEP_DEFAULTS, step) as CompleteStep;
}
