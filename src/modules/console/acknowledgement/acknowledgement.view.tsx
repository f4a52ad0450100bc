import { type MessageLink, type ReportedIncident } from '../../notifications/message-acknowledgements.service.js';
import { authorWords, type People } from '../author-words.js';
import { Buttons } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { Time } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';

/** Incidents that the page lists; it counts the others. */
const LISTED = 20;

interface AcknowledgementProps {
  token: string;
  link: MessageLink;
  /** The names of those who have acknowledged the incidents. */
  people: People;
}

/** Renders the page on which one click acknowledges what a message reported. */
export function renderAcknowledgement(frame: PageFrame, { token, link, people }: AcknowledgementProps): string {
  const { incidents, teamName } = link;
  const waiting = incidents.filter(({ isOver, acknowledgedBy }) => !isOver && acknowledgedBy === null);
  const [first] = incidents;
  return page(frame, {
    title: incidents.length === 1 ? first!.title : `${incidents.length} incidents`,
    entrance: true,
    isPublic: true,
    children: (
      <div class="card">
        {incidents.length === 1 ? (
          <p>
            <Standing incident={first!} people={people} />
          </p>
        ) : (
          <List incidents={incidents} people={people} />
        )}
        {waiting.length > 0 && (
          <Form frame={frame} action={`/ack/${token}`}>
            <Buttons>
              <button class="button" type="submit">
                {waiting.length === 1 ? 'Acknowledge' : `Acknowledge ${waiting.length} incidents`}
              </button>
            </Buttons>
            <p class="quiet">
              {effectOf(waiting)} It is recorded as acknowledged by <span dir="auto">{nameOf(link)}</span>.
            </p>
          </Form>
        )}
        <p class="quiet">
          Team <span dir="auto">{teamName}</span>
        </p>
      </div>
    ),
  });
}

/** Renders the response to a link that this service did not create. */
export function renderUnknownLink(frame: PageFrame): string {
  return page(frame, {
    title: 'Link not found',
    entrance: true,
    isPublic: true,
    children: (
      <div class="card">
        <p>The link may be incomplete, or the incident has been deleted. Open the link in the message again.</p>
      </div>
    ),
  });
}

/** Returns what acknowledging does. An acknowledged drill ends before the hour is over. */
function effectOf(waiting: readonly ReportedIncident[]): string {
  if (waiting.every(({ endsAt }) => endsAt === null)) return 'This stops further notifications for an hour.';
  const drills = waiting.length === 1 ? 'The drill then ends' : 'Drills then end';
  return `This stops further notifications. ${drills} within a minute.`;
}

function List({ incidents, people }: { incidents: readonly ReportedIncident[]; people: People }) {
  return (
    <ul>
      {incidents.slice(0, LISTED).map((incident) => (
        <li key={incident.id}>
          <strong dir="auto">{incident.title}</strong> <Standing incident={incident} people={people} />
        </li>
      ))}
      {incidents.length > LISTED && <li>and {incidents.length - LISTED} more</li>}
    </ul>
  );
}

function Standing({ incident, people }: { incident: ReportedIncident; people: People }) {
  const { startedAt, resolvedAt, isOver, acknowledgedBy, acknowledgedUntil, endsAt } = incident;
  if (resolvedAt !== null) {
    return (
      <>
        Resolved <Time at={resolvedAt} />. There is nothing to acknowledge.
      </>
    );
  }
  if (isOver) return <>The alert has ended. There is nothing to acknowledge.</>;
  if (acknowledgedBy === null) {
    return (
      <>
        Since <Time at={startedAt} />. Not acknowledged.
      </>
    );
  }
  return (
    <>
      Since <Time at={startedAt} />. Acknowledged by <span dir="auto">{authorWords(acknowledgedBy, people)}</span>
      {endsAt !== null ? (
        <>
          . The drill ends <Time at={endsAt} />
        </>
      ) : (
        acknowledgedUntil !== null && (
          <>
            {' '}
            until <Time at={acknowledgedUntil} />
          </>
        )
      )}
      .
    </>
  );
}

function nameOf({ author, channelName }: MessageLink): string {
  return authorWords(author, new Map(channelName === null ? [] : [[author.split(':')[1]!, { name: channelName }]]));
}
