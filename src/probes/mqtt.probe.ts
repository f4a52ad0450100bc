import { Type } from 'class-transformer';
import { ArrayMaxSize, IsObject, IsOptional, IsString, MaxLength, MinLength, ValidateNested } from 'class-validator';
import { type ProbeOutcome } from '../domain/check-result.js';
import { yesNoField } from '../domain/form-field.js';
import { AssertionList } from './assertion.dto.js';
import {
  LOGIN_FORM,
  NO_LOGIN,
  PASSWORD_PATH,
  SecureLoginSettings,
  ValueAssertion,
  withoutLonePassword,
} from './database-fields.dto.js';
import { SecureEndpointFields } from './endpoint-fields.dto.js';
import { shownEndpoint } from './host.rules.js';
import { firstMessage, signIn } from './mqtt/mqtt-session.js';
import { converse } from './net/conversation.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField, portField, VERIFY_TLS } from './probe-form.js';
import { MayBeLeftOut } from './rule.decorator.js';

const PORT = 1883;

/** An assertion about an MQTT check. */
export class MqttAssertion extends ValueAssertion {}

/** How a check signs in, and which message it waits for. */
export class MqttSettings extends SecureLoginSettings {
  /**
   * The topic in which a message must arrive, 1 to 1,000 characters; may contain wildcards. A retained message arrives at
   * once. Null if the check only signs in.
   * @example "plant/boiler/temperature"
   */
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(1_000)
  topic?: string | null;
}

/** The fields of a monitor of type `mqtt`. */
export class MqttFields extends SecureEndpointFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [MqttAssertion, MqttSettings];

  /**
   * How the check signs in, and which message it waits for.
   * @example { "tls": true, "username": "monitoring", "password": "correct horse", "topic": "plant/boiler/temperature" }
   */
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => MqttSettings)
  settings?: MqttSettings;

  /** At most 20 assertions. `value` is the content of the first message, if `topic` is set. */
  @ArrayMaxSize(20)
  @AssertionList(() => MqttAssertion)
  assertions?: MqttAssertion[];
}

const settings = { ...NO_LOGIN, tls: false, topic: null };
const defaults = { port: PORT, verifyTls: true, settings, assertions: [] };

export const mqttProbe: ProbeDefinition<MqttFields> = {
  type: 'mqtt',
  label: 'MQTT',
  summary: 'Connects to an MQTT broker and signs in; optionally waits for a message in a topic.',
  example: { key: 'plant-broker', name: 'Plant broker', host: 'mqtt.example.com' },
  fields: MqttFields,
  defaults,
  form: {
    gist: 'An MQTT broker',
    essential: [hostField('A name or an IP address.'), portField(PORT)],
    request: [
      ...LOGIN_FORM,
      { pointer: '/settings/topic', label: 'Topic', kind: 'text', help: 'A message must arrive in it. May be empty.' },
      yesNoField('/settings/tls', 'Use TLS'),
      VERIFY_TLS,
    ],
    sources: MqttAssertion.sources,
  },
  target: ({ host, port = PORT }) => shownEndpoint(host, port),
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [PASSWORD_PATH],
  secretScope: ({ host }) => host,
  complete: withoutLonePassword,
  probe: checkMqtt,
};

function checkMqtt(fields: MqttFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { host, port = PORT, verifyTls = true, assertions = [] } = fields;
  const { tls, username, password, topic } = { ...settings, ...fields.settings };
  return observe(assertions, context, (seen) =>
    converse({ host, port, tls: tls ? { verifyTls } : null }, seen, context, async (conversation) => {
      await signIn(conversation, { username, password: username === null ? null : password });
      return topic === null ? {} : { value: await firstMessage(conversation, topic) };
    }),
  );
}
