import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type NotificationChannelDto } from '../src/modules/notification-channels/dto/notification-channel.dto.js';
import { type NotificationPolicyDto } from '../src/modules/notification-policies/dto/notification-policy.dto.js';
import { CHANNELS, putChannel } from './support/channels.js';
import { openScene, type PipelineScene } from './support/pipeline-scene.js';
import { DEFAULT_LIMITS, describeScripts } from './support/pipelines.js';
import { useReceiver } from './support/receiver.js';

const receiver = useReceiver();

describeScripts('a script for notifications', () => {
  let scene: PipelineScene;
  beforeAll(async () => {
    scene = await openScene(DEFAULT_LIMITS);
  });
  afterAll(() => scene.close());

  const run = async (script: string, key: string, definition: object) => {
    const file = await scene.stage.file(`${key}.json`, definition);
    return scene.stage.run(script, [key, file], scene.access);
  };
  const chat = (url: string, more: object = {}) => ({ name: 'Chat', type: 'slack', settings: { url }, ...more });

  it('apply-channel.sh creates a channel through which a test arrives, and replaces it without its secret', async () => {
    const created = await run('apply-channel.sh', 'chat', chat(`${receiver.origin}/T0/secret-path`));
    expect(created).toMatchObject({ code: 0, stderr: '', stdout: 'Chat (slack) is enabled, revision 1\n' });
    expect(created.shown).not.toContain('secret-path');
    const replaced = await run('apply-channel.sh', 'chat', {
      name: 'Renamed',
      type: 'slack',
      settings: {},
      enabled: false,
    });
    expect(replaced).toMatchObject({ code: 0, stdout: 'Renamed (slack) is disabled, revision 2\n' });
    const { body } = await scene.api.get<NotificationChannelDto>(`${CHANNELS}/key:chat`);
    expect(body).toMatchObject({ name: 'Renamed', enabled: false, settings: { url: '********' } });
    expect(await scene.api.post(`${CHANNELS}/key:chat/test`)).toMatchObject({ body: { status: 'sent' } });
    expect(receiver.only.path).toBe('/T0/secret-path');
  });

  it('apply-channel.sh succeeds if a response is lost, and changes nothing the second time', async () => {
    scene.front.next('PUT', 'key:lost', 'late');
    expect(await run('apply-channel.sh', 'lost', chat(`${receiver.origin}/lost`))).toMatchObject({ code: 0 });
    const again = await run('apply-channel.sh', 'lost', chat(`${receiver.origin}/lost`));
    expect(again).toMatchObject({ code: 0, stdout: 'Chat (slack) is enabled, revision 1\n' });
  });

  it('apply-channel.sh reports an invalid definition without its secrets', async () => {
    const { code, stderr, shown } = await run('apply-channel.sh', 'wrong', chat('not-an-address-but-secret'));
    expect({ code, stderr }).toEqual({ code: 22, stderr: expect.stringContaining('"pointer":"/settings/url"') });
    expect(stderr + shown).not.toContain('but-secret');
  });

  it('apply-policy.sh creates a policy, then replaces it', async () => {
    const { id } = await putChannel(scene.api, 'on-call');
    const policy = {
      name: 'Production',
      match: { tags: ['production'] },
      steps: [
        { afterSeconds: 0, channelIds: ['key:on-call'] },
        { afterSeconds: 300, channelIds: ['key:on-call'] },
      ],
    };
    const created = await run('apply-policy.sh', 'production', policy);
    expect(created).toMatchObject({ code: 0, stderr: '', stdout: 'Production is enabled, 2 steps, revision 1\n' });
    expect(await run('apply-policy.sh', 'production', policy)).toMatchObject({
      stdout: 'Production is enabled, 2 steps, revision 1\n',
    });
    const fewer = { ...policy, steps: policy.steps.slice(0, 1), enabled: false };
    expect(await run('apply-policy.sh', 'production', fewer)).toMatchObject({
      stdout: 'Production is disabled, 1 step, revision 2\n',
    });
    const { body } = await scene.api.get<NotificationPolicyDto>('/v1/notification-policies/key:production');
    expect(body).toMatchObject({ enabled: false, steps: [{ afterSeconds: 0, channelIds: [id] }] });
  });

  it('apply-policy.sh reports a channel that does not exist', async () => {
    const steps = [{ afterSeconds: 0, channelIds: ['key:nobody'] }];
    const { code, stderr } = await run('apply-policy.sh', 'lonely', { name: 'Lonely', match: { all: true }, steps });
    expect({ code, stderr }).toEqual({ code: 22, stderr: expect.stringContaining('"/steps/0/channelIds/0"') });
  });
});
