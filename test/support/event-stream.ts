import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type EventDto } from '../../src/modules/events/dto/event.dto.js';

/** A reader of the stream of events, which collects what it receives. */
export interface EventStream {
  status: number;
  /** The ids of the events that arrived completely. */
  ids: () => string[];
  events: () => EventDto[];
  ended: () => boolean;
  close: () => void;
}

/** Opens the stream of a service on a connection of its own, after the last event that was received. */
export async function openStream(origin: string, key: string, query = '', lastEventId?: string): Promise<EventStream> {
  const resume = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
  const headers = { authorization: `Bearer ${key}`, ...resume };
  const call = get(`${origin}/v1/events/stream?${query}`, { headers, agent: false });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  let text = '';
  let over = false;
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  response.on('error', () => undefined).once('close', () => (over = true));
  const lines = (name: string): string[] => {
    const complete = text.slice(0, text.lastIndexOf('\n\n') + 1);
    return complete.split('\n').flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []));
  };
  return {
    status: response.statusCode!,
    ids: () => lines('id'),
    events: () => lines('data').map((one) => JSON.parse(one) as EventDto),
    ended: () => over,
    close: () => response.destroy(),
  };
}
