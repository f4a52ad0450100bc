import { getMonitor, getMonitorDefinition, listMonitors, requestCheck } from '../../../build/generators/hey-api';

export async function summary(id: string): Promise<string[]> {
  const monitor = await getMonitor({ path: { id }, throwOnError: true });
  const definition = await getMonitorDefinition({ path: { id }, throwOnError: true });
  const page = await listMonitors({ query: { status: ['down'] }, throwOnError: true });
  const check = await requestCheck({ path: { id }, query: { wait: true }, throwOnError: true });
  return [
    monitor.data.status,
    `${definition.data.intervalSeconds}`,
    page.data.data[0]?.id ?? 'none',
    check.data.status ?? 'not finished',
  ];
}
