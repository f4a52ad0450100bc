import { type ComponentChildren } from 'preact';
import { HatchPattern } from '../../../html/day-history.js';
import { type Mark } from '../../../html/marks.js';
import { StateMark } from '../../../html/state-mark.js';
import { Clock, duration } from '../../../html/time-text.js';
import { type PublicPageDto } from '../dto/public-page.dto.js';
import { type PageAddress } from '../page-address.js';
import { type PageContext } from '../page-form.js';
import { document } from './layout.js';
import { SubscribeForm } from './subscribe-form.js';
import { Moment } from './moment.js';

/** What every public page is rendered from. */
export interface FrameContext extends Pick<PageContext, 'page' | 'address' | 'ageMs'> {
  /** Whether its script may reload it; true by default. A page that is not stored cannot be reloaded. */
  isLive?: boolean;
}

export interface FrameProps {
  title: string;
  description?: string | null;
  icon: Mark;
  /** What previews of links say; by default the description. */
  preview?: string;
  /** The path of the part; by default that of the page. */
  path?: string;
  /** Whether it is the page itself and not a part of it, such as an incident. */
  isHome?: boolean;
  /** Shown at the top of the footer. */
  legend?: ComponentChildren;
  children: ComponentChildren;
}

/** Returns the clock of a page: its time zone, at the time of its figures. */
export function clockOf({ timezone, computedAt }: PublicPageDto): Clock {
  return new Clock(timezone, Date.parse(computedAt));
}

/** Renders a document with the head and the foot that all parts of a public page share. */
export function framed({ page, address, ageMs, isLive }: FrameContext, props: FrameProps): string {
  const { title, description, icon, isHome = false, path, legend, children } = props;
  const { theme, view, acceptsSubscribers } = page;
  const nowMs = Date.parse(view.computedAt);
  return document({
    title,
    description,
    icon,
    theme,
    accentColor: view.accentColor,
    preview: {
      site: view.name,
      text: props.preview ?? description ?? '',
      url: address.url(path),
      // Readers of previews show no vector graphics.
      imageUrl:
        view.logoUrl !== null && /\.(png|jpe?g|webp)$/i.test(new URL(view.logoUrl).pathname) ? view.logoUrl : null,
    },
    address,
    isLive,
    children: (
      <div class="page" data-page>
        <HatchPattern />
        <Head view={view} address={address} isHome={isHome} acceptsSubscribers={acceptsSubscribers} />
        <main>
          {ageMs !== null && <AgeOfFigures ageMs={ageMs} nowMs={nowMs} clock={clockOf(view)} />}
          {children}
        </main>
        <footer class="quiet">
          {legend}
          <p>
            Times are in <span data-zone={view.timezone}>{view.timezone}</span>.{' '}
            <button class="switch" type="button" data-switch hidden />
          </p>
          <p>The daily history uses UTC days. Incidents are grouped by day in {view.timezone}.</p>
          <p>
            {!isHome && (
              <>
                <a href={address.home}>Current status</a> ·{' '}
              </>
            )}
            <a href={address.json}>JSON</a>
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
        These figures are from <Moment ms={nowMs} clock={clock} /> ({duration(ageMs)} ago). Newer data is temporarily
        unavailable.
      </p>
    </div>
  );
}

interface HeadProps {
  view: PublicPageDto;
  address: PageAddress;
  isHome: boolean;
  acceptsSubscribers: boolean;
}

function Head({ view, address, isHome, acceptsSubscribers }: HeadProps) {
  const { name, description, logoUrl, homepageUrl } = view;
  return (
    <header class="head">
      {logoUrl && <img src={logoUrl} alt="" height="48" referrerpolicy="no-referrer" />}
      <div>
        <h1 dir="auto">
          {isHome && homepageUrl ? (
            <a href={homepageUrl} rel="noopener noreferrer nofollow">
              {name}
            </a>
          ) : isHome ? (
            name
          ) : (
            <a href={address.home}>{name}</a>
          )}
        </h1>
        {isHome && description && (
          <p class="about" dir="auto">
            {description}
          </p>
        )}
      </div>
      <Subscribe address={address} acceptsSubscribers={acceptsSubscribers} />
    </header>
  );
}

function Subscribe({ address, acceptsSubscribers }: { address: PageAddress; acceptsSubscribers: boolean }) {
  return (
    <details class="menu">
      <summary>Subscribe</summary>
      <ul>
        {acceptsSubscribers && (
          <li>
            <SubscribeForm address={address} />
            <p class="quiet">Incidents and maintenance, by email or webhook.</p>
          </li>
        )}
        <li>
          <a href={address.feed}>Atom feed</a>
          <p class="quiet">Incidents and maintenance, for a feed reader or chat.</p>
        </li>
        <li>
          <a href={address.calendar}>Calendar</a>
          <p class="quiet">Scheduled maintenance. Subscribe to this URL in your calendar app.</p>
        </li>
      </ul>
    </details>
  );
}
