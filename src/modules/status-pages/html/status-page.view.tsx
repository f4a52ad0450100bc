import { type PublicMaintenanceDto } from '../dto/public-maintenance.dto.js';
import { type PublicComponentDto, type PublicPageDto } from '../dto/public-page.dto.js';
import { type PublicPage } from '../public-page.types.js';
import { DayHistory, HatchPattern, Swatch } from '../../../html/day-history.js';
import { kindsOf } from '../../../html/day-figures.js';
import { IncidentList } from './incident-list.js';
import { document } from './layout.js';
import { MaintenanceList } from './maintenance-list.js';
import { Moment } from './moment.js';
import { MARK_GLYPHS, MARK_WORDS, type Mark } from '../../../html/marks.js';
import { PastIncidents } from './past-incidents.js';
import { uptimeWords } from '../../../html/uptime-words.js';
import { overallWords, wordOf, workOn } from './page-words.js';
import { PAGE_STATES, statusMark } from '../../../html/status-words.js';
import { StateMark } from '../../../html/state-mark.js';
import { Clock, duration, exact } from '../../../html/time-text.js';

/**
 * Renders a public page as HTML. All texts are escaped; links were validated when they were stored. With `ageMs`, the
 * page states the age of its figures, because newer ones are unavailable.
 */
export function renderStatusPage(page: PublicPage, ageMs: number | null = null): string {
  const { slug, theme, view } = page;
  const { mark, word } = PAGE_STATES[view.status];
  const forms = { json: `/status/${slug}.json`, feed: `/status/${slug}/feed.atom` };
  const nowMs = Date.parse(view.computedAt);
  const clock = new Clock(view.timezone, nowMs);
  const { headline, lasting, remark } = overallWords(view);
  return document({
    title: `${MARK_GLYPHS[mark]} ${word} · ${view.name}`,
    description: view.description,
    icon: mark,
    theme,
    accentColor: view.accentColor,
    forms,
    children: (
      <div class="page">
        <HatchPattern />
        <Head view={view} />
        <main>
          {ageMs !== null && <AgeOfFigures ageMs={ageMs} nowMs={nowMs} clock={clock} />}
          <div class={`overall-box ${mark}`}>
            <StateMark mark={mark} />
            <div>
              <p class="overall" dir="auto">
                {headline}
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
            {...{ components: view.components, clock, nowMs }}
          />
          <MaintenanceList maintenance={view.maintenance} components={view.components} clock={clock} />
          <Components view={view} clock={clock} nowMs={nowMs} />
          <PastIncidents page={page} clock={clock} nowMs={nowMs} />
        </main>
        <footer class="quiet">
          <Legend view={view} />
          <p>
            Uptime is the share of the observed time in which a component was not down. Days are UTC days; times are in{' '}
            {view.timezone}.
          </p>
          <p>
            <a href={forms.json}>JSON</a> · <a href={forms.feed}>Atom feed of incidents</a>
          </p>
        </footer>
      </div>
    ),
  });
}

/** `nowMs`: when the figures were computed. */
function AgeOfFigures({ ageMs, nowMs, clock }: { ageMs: number; nowMs: number; clock: Clock }) {
  return (
    <div class="aged" role="status">
      <StateMark mark="unknown" />
      <p>
        The figures are of <Moment ms={nowMs} clock={clock} />, {duration(ageMs)} ago: newer ones cannot be had right
        now. What has happened since is not known here.
      </p>
    </div>
  );
}

function Head({ view: { name, description, logoUrl, homepageUrl } }: { view: PublicPageDto }) {
  return (
    <header class="head">
      {logoUrl && <img src={logoUrl} alt="" height="48" referrerpolicy="no-referrer" />}
      <div>
        <h1 dir="auto">
          {homepageUrl ? (
            <a href={homepageUrl} rel="noopener noreferrer nofollow">
              {name}
            </a>
          ) : (
            name
          )}
        </h1>
        {description && (
          <p class="about" dir="auto">
            {description}
          </p>
        )}
      </div>
    </header>
  );
}

function Components({ view, clock, nowMs }: { view: PublicPageDto; clock: Clock; nowMs: number }) {
  return (
    <>
      {groupsOf(view.components).map(({ name, components }) => (
        <section key={name}>
          {name === null ? <h2 class="hidden">Components</h2> : <h2 dir="auto">{name}</h2>}
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
        </section>
      ))}
    </>
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
  const { name, description, status, since, days } = component;
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
                <time dateTime={since} title={`since ${clock.at(sinceMs)} (${exact(sinceMs)})`}>
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
      {days && <DayHistory name={name} words={uptimeWords(component)} days={days} />}
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
          {MARK_WORDS[kind]}
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
