import { type NotificationChannelDto } from '../../notification-channels/dto/notification-channel.dto.js';
import { channelOf } from '../../../channels/index.js';
import { type FormState } from '../form-state.js';
import { Errors } from '../html/fields.js';
import { DurationField } from '../html/duration-field.js';
import { StepList } from '../html/step-list.js';
import { NOTIFICATIONS_PATH } from './channel-form.js';
import { afterFieldOf, REPEAT } from './policy-form.js';
import { afterField, channelField, MAX_STEPS, type StepFields } from './policy-steps.js';

const HELP =
  'The first step notifies immediately unless it has a delay. Later steps follow while the outage lasts and nobody has ' +
  'acknowledged it. Each delay counts from when the incident opened. Events other than outages use only the first step.';

export interface PolicyStepsProps {
  form: FormState;
  steps: readonly StepFields[];
  channels: readonly NotificationChannelDto[];
  /** The path to which the form is sent. */
  action: string;
}

/** The steps of a policy, each with its time and its channels. */
export function PolicySteps({ form, steps, channels, action }: PolicyStepsProps) {
  return (
    <StepList
      form={form}
      pointer="/steps"
      help={HELP}
      count={steps.length}
      most={MAX_STEPS}
      action={action}
      step={(place) => (
        <>
          <DurationField
            form={form}
            field={afterFieldOf(place)}
            pointer={`/steps/${place}/afterSeconds`}
            name={afterField(place)}
          />
          <StepChannels form={form} step={steps[place]!} place={place} channels={channels} />
        </>
      )}
    >
      <DurationField form={form} field={REPEAT} pointer={REPEAT.pointer} help={REPEAT.help} />
    </StepList>
  );
}

interface StepChannelsProps extends Pick<PolicyStepsProps, 'form' | 'channels'> {
  step: StepFields;
  place: number;
}

function StepChannels({ form, step, place, channels }: StepChannelsProps) {
  const pointer = `/steps/${place}/channelIds`;
  const id = form.idOf(pointer);
  const errors = form.errorsAt(pointer);
  return (
    <fieldset class="field" id={id} tabIndex={-1} aria-describedby={errors.length > 0 ? `${id}-error` : undefined}>
      <legend>{form.labelOf(pointer)}</legend>
      <Errors id={id} errors={errors} />
      {channels.length === 0 ? (
        <p>
          There are no channels yet. <a href={`${NOTIFICATIONS_PATH}/new`}>Create a channel</a> first.
        </p>
      ) : (
        <div class="step-channels">
          {channels.map(({ id: channelId, name, type, enabled }) => (
            <label key={channelId} class="choice">
              <input
                type="checkbox"
                name={channelField(place, channelId)}
                checked={step.channelIds.includes(channelId)}
              />
              <span>
                <bdi>{name}</bdi>{' '}
                <span class="quiet">
                  {channelOf(type)?.label ?? type}
                  {!enabled && ', disabled'}
                </span>
              </span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}
