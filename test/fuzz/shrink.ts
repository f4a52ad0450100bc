import { type FuzzRequest } from './exchange.js';

const MAX_TRIES = 80;

/**
 * Returns the smallest request found that still `shows` the same fault, by removing one part after the other. Every try
 * is a request to the service.
 */
export async function shrink(
  request: FuzzRequest,
  shows: (candidate: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  let smallest = request;
  let tries = 0;
  for (let again = true; again;) {
    again = false;
    for (const candidate of candidatesOf(smallest)) {
      if (++tries > MAX_TRIES) return smallest;
      if (!(await shows(candidate))) continue;
      smallest = candidate;
      again = true;
      break;
    }
  }
  return smallest;
}

function* candidatesOf(request: FuzzRequest): Generator<FuzzRequest> {
  const { headers, target, body } = request;
  for (const index of headers.keys()) yield { ...request, headers: headers.filter((_, at) => at !== index) };
  const [path = '', query] = target.split(/\?(.*)/s);
  const pairs = query?.split('&') ?? [];
  if (query !== undefined) yield { ...request, target: path };
  if (pairs.length > 1) {
    for (const index of pairs.keys()) {
      yield { ...request, target: `${path}?${pairs.filter((_, at) => at !== index).join('&')}` };
    }
  }
  if (!body) return;
  yield { ...request, body: null };
  for (const smaller of smallerBodies(body)) yield { ...request, body: Buffer.from(smaller) };
}

function* smallerBodies(body: Buffer): Generator<string> {
  const text = body.toString();
  try {
    for (const smaller of smallerValues(JSON.parse(text))) {
      const json = JSON.stringify(smaller);
      if (json.length < text.length) yield json;
    }
  } catch {
    if (text.length > 1) yield text.slice(0, text.length / 2);
  }
}

function* smallerValues(value: unknown): Generator<unknown> {
  if (typeof value === 'string' && value.length > 8) yield value.slice(0, value.length / 2);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (value.length > 0) yield value.slice(0, value.length / 2);
    for (const [index, one] of (value as unknown[]).entries()) {
      yield value.filter((_, at) => at !== index);
      for (const smaller of smallerValues(one))
        yield (value as unknown[]).map((kept, at) => (at === index ? smaller : kept));
    }
    return;
  }
  const members = Object.entries(value);
  for (const [name, one] of members) {
    yield Object.fromEntries(members.filter(([other]) => other !== name));
    for (const smaller of smallerValues(one)) {
      yield Object.fromEntries(members.map(([other, kept]) => [other, other === name ? smaller : kept]));
    }
  }
}
