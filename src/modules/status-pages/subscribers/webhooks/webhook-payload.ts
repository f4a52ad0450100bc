import { type PublicationContent } from '../../../../domain/publication.js';
import { type PageAddress } from '../../page-address.js';
import { publicationTitle } from '../publication-title.js';

/** The page that a webhook informs of. */
export interface PayloadPage {
  id: string;
  name: string;
  address: PageAddress;
}

/** What a webhook is sent, in the shape of Standard Webhooks. Members are only ever added. */
export interface Payload {
  type: string;
  /** RFC 3339. */
  timestamp: string;
  data: object;
}

/** Returns what is posted about a publication. */
export function updatePayload(
  content: PublicationContent,
  page: PayloadPage,
  components: readonly { id: string; name: string }[],
): Payload {
  const { kind, subjectId, state, text, at, startsAt, endsAt } = content;
  const { address } = page;
  return {
    type: `${kind}.${state}`,
    timestamp: at,
    data: {
      page: pageOf(page),
      [kind]: {
        id: subjectId,
        title: publicationTitle(
          content,
          components.map(({ name }) => name),
        ),
        state,
        text,
        ...(kind === 'maintenance' && { startsAt, endsAt }),
        url: address.url(kind === 'incident' ? address.incident(subjectId) : undefined),
      },
      components,
    },
  };
}

/** Returns what an address is sent before anything else: it must answer with the text `challenge`. */
export function challengePayload(challenge: string, page: PayloadPage, nowMs: number): Payload {
  return {
    type: 'subscription.challenge',
    timestamp: new Date(nowMs).toISOString(),
    data: { challenge, page: pageOf(page) },
  };
}

function pageOf({ id, name, address }: PayloadPage): object {
  return { id, name, url: address.url() };
}
