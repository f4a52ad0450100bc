import { Api } from '../../../build/generators/swagger-typescript-api';

export async function summary(id: string): Promise<string[]> {
  const { v1 } = new Api();
  const monitor = await v1.getMonitor(id);
  const definition = await v1.getMonitorDefinition(id);
  const page = await v1.listMonitors({ status: ['down'] });
  const check = await v1.requestCheck(id, { wait: true });
  return [
    monitor.data.status,
    `${definition.data.intervalSeconds}`,
    page.data.data[0]?.id ?? 'none',
    check.data.status ?? 'not finished',
  ];
}
