import { type NotificationChannelDto } from '../../notification-channels/dto/notification-channel.dto.js';
import { channelOf } from '../../../channels/index.js';
import { type FormState } from '../form-state.js';
import { Errors } from '../html/fields.js';
import { Icon } from '../html/icon.js';
import { DurationField } from '../html/duration-field.js';
import { NOTIFICATIONS_PATH } from './channel-form.js';
import { afterFieldOf, REPEAT } from './policy-form.js';
import { afterField, channelField, MAX_STEPS, type StepFields } from './policy-steps.js';

export interface PolicyStepsProps {
  form: FormState;
  steps: readonly StepFields[];
  channels: readonly NotificationChannelDto[];
  /** The path to which the form is sent. */
  action: string;
}

/** The steps of a policy, each with its time and its channels. Its buttons send the form and save nothing. */
export function PolicySteps({ form, steps, channels, action }: PolicyStepsProps) {
  const id = form.idOf('/steps');
  return (
    <fieldset class="group" id={id} tabIndex={-1}>
      <legend>{form.labelOf('/steps')}</legend>
      <p class="help">
        The first step notifies immediately unless it has a delay. Later steps follow while the outage lasts and nobody
        has acknowledged it. Each delay counts from when the incident opened. Events other than outages use only the
        first step.
      </p>
      <Errors id={id} errors={form.errorsAt('/steps')} />
      <ol class="steps-list">
        {steps.map((step, place) => (
          <Step
            key={place}
            form={form}
            step={step}
            place={place}
            channels={channels}
            action={`${action}#${id}`}
            isOnly={steps.length === 1}
          />
        ))}
      </ol>
      {steps.length < MAX_STEPS && (
        <div>
          <button
            class="button plain small"
            type="submit"
            name="do"
            value="add-step"
            formaction={`${action}#${form.idOf(`/steps/${steps.length}`)}`}
            formnovalidate
          >
            <Icon name="plus" />
            Add step
          </button>
        </div>
      )}
      <DurationField form={form} field={REPEAT} pointer={REPEAT.pointer} help={REPEAT.help} />
    </fieldset>
  );
}

interface StepProps extends Omit<PolicyStepsProps, 'steps'> {
  step: StepFields;
  place: number;
  isOnly: boolean;
}

function Step({ form, step, place, channels, action, isOnly }: StepProps) {
  const pointer = `/steps/${place}`;
  return (
    <li class="step" id={form.idOf(pointer)} tabIndex={-1}>
      <div class="step-head">
        <strong>{form.labelOf(pointer)}</strong>
        {!isOnly && (
          <button
            class="button ghost small"
            type="submit"
            name="do"
            value={`remove-step:${place}`}
            formaction={action}
            formnovalidate
          >
            <Icon name="x" />
            Remove<span class="hidden"> step {place + 1}</span>
          </button>
        )}
      </div>
      <Errors id={form.idOf(pointer)} errors={form.errorsAt(pointer)} />
      <DurationField
        form={form}
        field={afterFieldOf(place)}
        pointer={`${pointer}/afterSeconds`}
        name={afterField(place)}
      />
      <StepChannels form={form} step={step} place={place} channels={channels} />
    </li>
  );
}

function StepChannels({ form, step, place, channels }: Pick<StepProps, 'form' | 'step' | 'place' | 'channels'>) {
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
