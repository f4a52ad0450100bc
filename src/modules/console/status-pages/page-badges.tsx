import { type ComponentDto, type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { CopyBlock } from '../html/copy.js';
import { Empty } from '../html/table.js';
import { type PageFrame } from '../page-frame.js';
import { badgeHtml, badgeMarkdown, BADGES } from './page-words.js';

interface BadgesProps {
  frame: PageFrame;
  page: StatusPageDto;
}

interface ComponentBadgesProps extends BadgesProps {
  component: ComponentDto;
  /** Whether its images load with the page. */
  isEager: boolean;
}

/** The images of further components load when the reader scrolls to them. */
const EAGER = 10;

/** The badges of a page as they look, each with its HTML and Markdown to copy. */
export function Badges({ frame, page }: BadgesProps) {
  const { components, published, accessType } = page;
  return (
    <section aria-labelledby="badges">
      <h2 id="badges">Badges</h2>
      {components.length > 0 && !published && (
        <p class="quiet">Badges appear here and at their URLs once the page is published.</p>
      )}
      {components.length > 0 && published && accessType === 'password' && (
        <p class="quiet">Badges require the password of the page, so other sites cannot embed them for everyone.</p>
      )}
      {components.length === 0 ? (
        <Empty>No components yet. Each component has badges that you can embed elsewhere.</Empty>
      ) : (
        <ul class="badges">
          {components.map((component, at) => (
            <ComponentBadges key={component.id} frame={frame} page={page} component={component} isEager={at < EAGER} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ComponentBadges({ frame, page, component, isEager }: ComponentBadgesProps) {
  const path = `/badges/${page.slug}/${component.id}`;
  // A component without history shows only its current state, and so do its badges.
  const badges = (component.showUptime ? BADGES : BADGES.slice(0, 1)).map(({ file, word }) => ({
    file,
    word,
    label: `${word} of ${component.name}`,
  }));
  return (
    <li>
      <h3 dir="auto">{component.name}</h3>
      {page.published && page.accessType === 'public' && (
        <p class="badge-images">
          {badges.map(({ file, label }) => (
            <img key={file} src={`${path}/${file}`} alt={label} height="20" loading={isEager ? 'eager' : 'lazy'} />
          ))}
        </p>
      )}
      <details class="embed">
        <summary>
          Embed<span class="hidden"> badges of {component.name}</span>
        </summary>
        {badges.map(({ file, word, label }) => (
          <section key={file} aria-label={label}>
            <h4>{word[0]!.toUpperCase() + word.slice(1)}</h4>
            <Code
              id={`badge-${component.id}-${file.replace('.svg', '')}`}
              label={label}
              image={`${frame.origin}${path}/${file}`}
              page={page.publicUrl}
            />
          </section>
        ))}
      </details>
    </li>
  );
}

function Code({ id, label, image, page }: { id: string; label: string; image: string; page: string }) {
  return (
    <>
      <p class="quiet">HTML</p>
      <CopyBlock id={`${id}-html`} label={`badge HTML, ${label}`} text={badgeHtml(label, image, page)} />
      <p class="quiet">Markdown</p>
      <CopyBlock id={`${id}-markdown`} label={`badge Markdown, ${label}`} text={badgeMarkdown(label, image, page)} />
    </>
  );
}
