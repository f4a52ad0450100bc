import { Type } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsObject, IsOptional, IsString, Matches, ValidateNested } from 'class-validator';
import { type Assertion, type AssertionSource } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { choicesOf } from '../domain/form-field.js';
import { AssertionDto, AssertionList } from './assertion.dto.js';
import { EndpointFields } from './endpoint-fields.dto.js';
import { shownEndpoint } from './host.rules.js';
import { converse } from './net/conversation.js';
import { ProbeFault } from './net/probe-fault.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField, portField } from './probe-form.js';
import { MayBeLeftOut } from './rule.decorator.js';
import { HOST_KEY_TYPES, hostKeyFingerprint, type HostKeyType, identify } from './ssh/ssh-handshake.js';

const PORT = 22;

/** An assertion about an SSH check. */
export class SshAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['responseTimeMs', 'textBody'];
  static override readonly example: Assertion = { source: 'textBody', comparison: 'contains', target: 'OpenSSH' };
}

/** The expected host key. */
export class SshSettings {
  /**
   * The SHA-256 fingerprint of the host key, as `ssh-keygen -l` prints it. The server must prove that it has this key.
   * Null if any server will do.
   * @example "SHA256:uNiVztksCsDhcc0u9e8BrFJXQCBpmGYNmnYR4k0bRCc"
   */
  @IsOptional()
  @IsString()
  @Matches(/^SHA256:[A-Za-z\d+/]{43}$/, { message: 'fingerprint must be SHA256: and 43 characters of base64' })
  fingerprint?: string | null;

  /**
   * The type of the host key with this fingerprint, if the server has several. Null for the first that both sides
   * support, in this order.
   * @example "ed25519"
   */
  @IsOptional()
  @IsIn(HOST_KEY_TYPES)
  hostKeyType?: HostKeyType | null;
}

/** The fields of a monitor of type `ssh`. */
export class SshFields extends EndpointFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [SshAssertion, SshSettings];

  /**
   * The expected host key. By default, the server only has to identify itself.
   * @example { "fingerprint": "SHA256:uNiVztksCsDhcc0u9e8BrFJXQCBpmGYNmnYR4k0bRCc", "hostKeyType": "ed25519" }
   */
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => SshSettings)
  settings?: SshSettings;

  /** At most 20 assertions. `textBody` is the identification string of the server, such as `SSH-2.0-OpenSSH_9.2`. */
  @ArrayMaxSize(20)
  @AssertionList(() => SshAssertion)
  assertions?: SshAssertion[];
}

const defaults = { port: PORT, settings: { fingerprint: null, hostKeyType: null }, assertions: [] };

export const sshProbe: ProbeDefinition<SshFields> = {
  type: 'ssh',
  label: 'SSH',
  summary: 'Connects to an SSH server and reads its identification; optionally verifies the host key.',
  example: { key: 'build-server', name: 'Build server', host: 'build.example.com' },
  fields: SshFields,
  defaults,
  form: {
    gist: 'An SSH server and its host key',
    essential: [hostField('A name or an IP address.'), portField(PORT)],
    judged: [
      {
        pointer: '/settings/fingerprint',
        label: 'Host key fingerprint',
        kind: 'text',
        help: 'As ssh-keygen -l prints it: SHA256:…',
        brief: (texts) => (texts('fingerprint') === '' ? 'any host key' : 'pinned host key'),
      },
      {
        pointer: '/settings/hostKeyType',
        label: 'Host key type',
        kind: 'text',
        choices: [{ value: '', label: 'Any' }, ...choicesOf(HOST_KEY_TYPES)],
      },
    ],
    sources: SshAssertion.sources,
  },
  target: ({ host, port = PORT }) => shownEndpoint(host, port),
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  probe: checkSsh,
};

function checkSsh(fields: SshFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { host, port = PORT, settings: { fingerprint, hostKeyType } = defaults.settings, assertions = [] } = fields;
  return observe(assertions, context, (seen) =>
    converse({ host, port, tls: null }, seen, context, async (conversation) => {
      const body = await identify(conversation);
      if (fingerprint == null) return { body };
      const actual = await hostKeyFingerprint(conversation, body, hostKeyType ?? null);
      if (actual !== fingerprint) {
        throw new ProbeFault('unexpected_response', `The server has another host key: ${actual}.`);
      }
      return { body };
    }),
  );
}
