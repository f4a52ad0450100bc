import { getMonitor, getMonitorDefinition, listMonitors, requestCheck } from '../../../build/generators/orval';

export async function summary(id: string): Promise<string[]> {
  const monitor = await getMonitor(id);
  const definition = await getMonitorDefinition(id);
  const page = await listMonitors({ status: ['down'] });
  const check = await requestCheck(id, { wait: true });
  return [
    monitor.status === 200 ? monitor.data.status : 'refused',
    definition.status === 200 ? `${definition.data.intervalSeconds}` : 'refused',
    page.status === 200 ? (page.data.data[0]?.id ?? 'none') : 'refused',
    check.status === 200 || check.status === 202 ? (check.data.status ?? 'not finished') : 'refused',
  ];
}
