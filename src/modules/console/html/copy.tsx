/** A text to copy. The script of the page shows the button, because copying requires the script. */
export function CopyBlock({ id, label, text }: { id: string; label: string; text: string }) {
  return (
    <div class="copy">
      <pre id={id} tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
      <button class="button plain" type="button" data-copy={id} hidden>
        Copy<span class="hidden"> {label}</span>
      </button>
    </div>
  );
}

/** The curl command that is equivalent to the form beside it. `of` is the label of its button, if there are several. */
export function WithCurl({ id, command, of }: { id: string; command: string; of?: string }) {
  return (
    <details class="curl">
      <summary>{of === undefined ? 'API' : `API: ${of}`}</summary>
      <CopyBlock id={id} label="curl command" text={command} />
    </details>
  );
}
