import { type FormField } from '../../../../domain/form-field.js';
import { MASK } from '../../../../domain/mask.js';
import { awaitsReports } from '../../../../probes/index.js';
import { type FormState } from '../../form-state.js';
import { isPicking } from '../../picker/asked.js';
import { type MonitorPicks } from '../../picker/monitor-search.service.js';
import { PickedMonitors } from '../../picker/picked-monitors.js';
import { counted } from '../../../../html/counted.js';
import { AssertionFields } from './assertion-fields.js';
import { rowPointers } from './assertion-rows.js';
import { AuthControls } from './auth-controls.js';
import { AUTH_LABELS } from './auth-fields.js';
import { assertionsBrief, authBrief, briefOf, joined } from './briefs.js';
import { ABOUT, intervalField, NAME, NEW_NAME, placeFields, TAGS, thresholdsOf } from './common-fields.js';
import { Controls } from './controls.js';
import { Group } from './group.js';
import { nameOfField, pointersOf } from './form-field.js';
import { formOf, PARENTS_POINTER } from './monitor-form.js';
import { askedAgain, secretHelp, type SecretsOf, uncopied } from './secrets.js';
import { MonitorSteps } from './monitor-steps.js';

interface SectionsProps {
  form: FormState;
  type: string;
  /** The shortest interval that the operator allows. */
  minIntervalSeconds: number;
  /** The keys of all locations. */
  places: readonly string[];
  parents: MonitorPicks;
  secrets: SecretsOf;
  /** The path to which the form is sent. */
  action: string;
}

const AUTH_POINTERS = Object.keys(AUTH_LABELS);

/** The fields of a monitor: what everybody fills in, and sections with the rest. */
export function Sections({ form, type, minIntervalSeconds, places, parents, secrets, action }: SectionsProps) {
  const { takesAuth, judged, sources, steps, ...groups } = formOf(type);
  const texts = (name: string) => form.text(name);
  const isStored = (field: FormField) => field.secret && !form.isSent && texts(nameOfField(field)) === MASK;
  const withHelp = (field: FormField): FormField => {
    if (!field.secret || form.isSentSecret(field.pointer)) return field;
    const mayBeStored = isStored(field) || (form.isSent && secrets === 'stored');
    const help = mayBeStored ? secretHelp(secrets, field.label.toLowerCase()) : undefined;
    return help === undefined ? field : { ...field, help };
  };
  const [essential, request] = [groups.essential.map(withHelp), groups.request.map(withHelp)];
  const lacks = secrets === 'copied' ? uncopied(texts) : { headers: false, auth: false };
  const thresholds = thresholdsOf(type);
  const waits = awaitsReports(type);
  const criteria = [...judged, ...thresholds];
  const where = placeFields(places);
  return (
    <>
      <div class="group">
        <Controls
          form={form}
          fields={secrets === 'nothing' && !waits ? [...essential, NEW_NAME] : [NAME, ...essential]}
        />
        <div class="columns">
          <Controls form={form} fields={waits ? [TAGS] : [intervalField(minIntervalSeconds), TAGS]} />
        </div>
      </div>
      {steps && <MonitorSteps form={form} steps={steps} action={action} isCopy={secrets === 'copied'} />}
      {request.length > 0 && (
        <Group
          form={form}
          title="Request"
          brief={briefOf(request, texts)}
          pointers={pointersOf(request)}
          isOpen={lacks.headers || (secrets === 'copied' && request.some(isStored))}
        >
          <Controls form={form} fields={lacks.headers ? request.map((field) => askedAgain(field, texts)) : request} />
        </Group>
      )}
      {takesAuth && (
        <Group form={form} title="Authentication" brief={authBrief(texts)} pointers={AUTH_POINTERS} isOpen={lacks.auth}>
          <AuthControls form={form} secrets={secrets} />
        </Group>
      )}
      <Group
        form={form}
        title="Success criteria"
        brief={joined([
          briefOf(judged, texts),
          sources.length > 0 ? assertionsBrief(texts) : null,
          briefOf(thresholds, texts),
        ])}
        pointers={[...pointersOf(criteria), '/assertions', ...rowPointers('/assertions')]}
      >
        <Controls form={form} fields={judged} />
        {sources.length > 0 && <AssertionFields form={form} sources={sources} />}
        <div class="columns">
          <Controls form={form} fields={thresholds} />
        </div>
      </Group>
      {places.length > 1 && !waits && (
        <Group form={form} title="Locations" brief={briefOf(where, texts)} pointers={pointersOf(where)}>
          <div class="columns">
            <Controls form={form} fields={where} />
          </div>
        </Group>
      )}
      <Dependencies form={form} parents={parents} action={action} />
      <Group
        form={form}
        title="Key, description and runbook"
        brief={briefOf(ABOUT, texts)}
        pointers={pointersOf(ABOUT)}
      >
        <Controls form={form} fields={ABOUT} />
      </Group>
    </>
  );
}

/** The monitors that this one depends on. Expanded while they are being chosen. */
function Dependencies({ form, parents: { picked, hits }, action }: Pick<SectionsProps, 'form' | 'parents' | 'action'>) {
  const isChanging = isPicking(form) || form.text('do').startsWith('remove:') || hits.q !== '';
  return (
    <Group
      form={form}
      title="Dependencies"
      brief={picked.length === 0 ? 'none' : `depends on ${counted(picked.length, 'monitor')}`}
      pointers={[PARENTS_POINTER]}
      isOpen={isChanging}
    >
      <PickedMonitors
        form={form}
        pointer={PARENTS_POINTER}
        help="While one of them is down, this monitor is not reported separately."
        action={action}
        picked={picked}
        hits={hits}
      />
    </Group>
  );
}
