import { type ComponentChildren } from 'preact';
import { type PublicMaintenanceDto } from '../dto/public-maintenance.dto.js';
import { type PublicComponentDto, type PublicPageDto } from '../dto/public-page.dto.js';
import { DayHistory, Swatch } from '../../../html/day-history.js';
import { elapsedSeconds, kindsOf } from '../../../html/day-figures.js';
import { clockOf, type FrameContext, framed } from './frame.js';
import { IncidentList } from './incident-list.js';
import { MaintenanceList } from './maintenance-list.js';
import { Moment } from './moment.js';
import { MARK_GLYPHS, MARK_WORDS, type Mark } from '../../../html/marks.js';
import { PastIncidents } from './past-incidents.js';
import { uptimeWords } from '../../../html/uptime-words.js';
import { groupState, headlineText, overallWords, wordOf, workOn } from './page-words.js';
import { PAGE_STATES, statusMark } from '../../../html/status-words.js';
import { StateMark } from '../../../html/state-mark.js';
import { type Clock, duration, exact } from '../../../html/time-text.js';

/**
 * Renders a public page as HTML. All texts are escaped; links were validated when they were stored. If newer figures are
 * unavailable, the page states the age of those it shows.
 */
export function renderStatusPage(context: FrameContext): string {
  const { page, address } = context;
  const { view } = page;
  const { mark, word } = PAGE_STATES[view.status];
  const nowMs = Date.parse(view.computedAt);
  const clock = clockOf(view);
  const words = overallWords(view);
  const { headline, momentMs, lasting, remark } = words;
  return framed(context, {
    title: `${MARK_GLYPHS[mark]} ${word} · ${view.name}`,
    description: view.description,
    icon: mark,
    preview: [`${headlineText(words, clock)}.`, remark].filter(Boolean).join(' '),
    isHome: true,
    legend: (
      <>
        <Legend view={view} />
        <p>Uptime is the percentage of monitored time in which a component was not down.</p>
      </>
    ),
    children: (
      <>
        <div class={`overall-box ${mark}`}>
          <StateMark mark={mark} />
          <div>
            <p class="overall" dir="auto">
              {headline}
              {momentMs !== null && (
                <>
                  {' '}
                  <Moment ms={momentMs} clock={clock} />
                </>
              )}
              {lasting && <span class="lasting"> ({lasting})</span>}.
            </p>
            {remark && <p dir="auto">{remark}</p>}
            <p class="quiet">
              {word}, as of <Moment ms={nowMs} clock={clock} />.<noscript> Reload the page for newer data.</noscript>
            </p>
          </div>
        </div>
        <IncidentList
          heading="Incidents"
          incidents={view.incidents.filter(({ status }) => status === 'open')}
          {...{ components: view.components, address, clock, nowMs }}
        />
        <MaintenanceList maintenance={view.maintenance} components={view.components} clock={clock} />
        <Components view={view} clock={clock} nowMs={nowMs} />
        <PastIncidents page={page} address={address} clock={clock} nowMs={nowMs} />
      </>
    ),
  });
}

function Components({ view, clock, nowMs }: { view: PublicPageDto; clock: Clock; nowMs: number }) {
  return (
    <>
      {groupsOf(view.components).map(({ name, components }) => (
        <Group key={name} name={name} components={components}>
          <ul class="cards">
            {components.map((component) => (
              <Card
                key={component.id}
                component={component}
                work={workOn(view, component)}
                clock={clock}
                nowMs={nowMs}
              />
            ))}
          </ul>
        </Group>
      ))}
    </>
  );
}

interface GroupProps {
  name: string | null;
  components: readonly PublicComponentDto[];
  children: ComponentChildren;
}

/** Renders a group, which readers can collapse; its state remains visible. Components without a group cannot be. */
function Group({ name, components, children }: GroupProps) {
  if (name === null) {
    return (
      <section>
        <h2 class="hidden">Components</h2>
        {children}
      </section>
    );
  }
  const { mark, word, isTrouble } = groupState(components);
  return (
    <section>
      <details class="group" open data-group={name} data-trouble={isTrouble}>
        <summary>
          <h2 dir="auto">{name}</h2>
          <span class="state">
            <StateMark mark={mark} />
            <span class="quiet">{word}</span>
          </span>
        </summary>
        {children}
      </details>
    </section>
  );
}

interface CardProps {
  component: PublicComponentDto;
  /** The maintenance that is in progress. */
  work: PublicMaintenanceDto | undefined;
  clock: Clock;
  nowMs: number;
}

function Card({ component, work, clock, nowMs }: CardProps) {
  const { name, description, status, since, days, locations } = component;
  const sinceMs = Date.parse(since);
  return (
    <li class="card">
      <div class="row">
        <h3 dir="auto">{name}</h3>
        <span class="state">
          <StateMark mark={statusMark(status)} />
          <span class="word">{wordOf(status)}</span>
          <span class="quiet">
            {work ? (
              <>
                until <Moment ms={Date.parse(work.endsAt)} clock={clock} />
              </>
            ) : (
              <>
                for{' '}
                <time dateTime={since} data-since title={`since ${clock.at(sinceMs)} (${exact(sinceMs)})`}>
                  {duration(nowMs - sinceMs)}
                </time>
              </>
            )}
          </span>
        </span>
      </div>
      {description && (
        <p class="about quiet" dir="auto">
          {description}
        </p>
      )}
      {locations.length > 0 && (
        <ul class="places" aria-label={`${name} by location`}>
          {locations.map((one) => (
            <li key={one.name} class="state">
              <StateMark mark={statusMark(one.status)} />
              <span dir="auto">{one.name}</span>
              <span class="quiet">{wordOf(one.status)}</span>
            </li>
          ))}
        </ul>
      )}
      {days && <DayHistory name={name} words={uptimeWords(component, elapsedSeconds(days))} days={days} />}
    </li>
  );
}

function Legend({ view: { components } }: { view: PublicPageDto }) {
  const drawn = new Set<Mark>();
  for (const { days } of components) for (const day of days ?? []) for (const { kind } of kindsOf(day)) drawn.add(kind);
  const kinds = (Object.keys(MARK_WORDS) as Mark[]).filter((kind) => drawn.has(kind));
  if (kinds.length === 0) return null;
  return (
    <ul class="legend" aria-label="Legend">
      {kinds.map((kind) => (
        <li key={kind} class="state">
          <Swatch kind={kind} />
          {kind === 'up' ? wordOf('up') : MARK_WORDS[kind]}
        </li>
      ))}
    </ul>
  );
}

/** Returns the components by group, with each group at the position of its first component. */
function groupsOf(components: readonly PublicComponentDto[]) {
  const groups = new Map<string | null, PublicComponentDto[]>();
  for (const component of components) {
    const group = groups.get(component.group);
    if (group) group.push(component);
    else groups.set(component.group, [component]);
  }
  return [...groups].map(([name, members]) => ({ name, components: members }));
}
