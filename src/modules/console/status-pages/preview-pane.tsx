import { Icon } from '../html/icon.js';

/** The path that renders a page from its unsaved form. */
export const PREVIEW_PATH = '/status-pages/preview';
/** The name of the frame. */
const FRAME = 'preview';

interface PreviewPaneProps {
  /** The path of the preview of the stored page; null if the form differs from it, or if nothing is stored yet. */
  stored: string | null;
}

/**
 * The page as its readers would see it, on wide screens beside the form. The script renders it anew after each change;
 * without the script, a button does. The frame is not part of the tab order, because a button opens the same page in a
 * tab of its own.
 */
export function PreviewPane({ stored }: PreviewPaneProps) {
  const says = stored === null ? 'Update the preview to see your unsaved changes.' : 'Shows the page as last saved.';
  return (
    <aside class="preview" aria-label="Preview" data-preview={PREVIEW_PATH}>
      <div class="preview-head">
        <h2>Preview</h2>
        <button
          class="button plain small only-wide"
          type="submit"
          name="do"
          value="preview"
          formaction={PREVIEW_PATH}
          formtarget={FRAME}
          formnovalidate
          data-without-script
        >
          <Icon name="refresh-cw" />
          Update preview
        </button>
        <button
          class="button plain small"
          type="submit"
          name="do"
          value="preview"
          formaction={PREVIEW_PATH}
          formtarget="_blank"
          formnovalidate
        >
          <Icon name="external-link" />
          Open preview<span class="hidden"> in a new tab</span>
        </button>
      </div>
      <p class="quiet only-wide" role="status" data-says="Shows your unsaved changes.">
        {says}
      </p>
      <iframe
        class="only-wide"
        name={FRAME}
        title="Preview of the status page"
        src={stored ?? undefined}
        tabIndex={-1}
        loading="lazy"
      />
    </aside>
  );
}
