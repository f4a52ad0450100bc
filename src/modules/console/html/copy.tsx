/** A text to take along. The button is shown by the script of the page, which is what copies. */
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

/** How a program does what the form beside it does; `of`: what its button says, where there are several. */
export function WithCurl({ id, command, of }: { id: string; command: string; of?: string }) {
  return (
    <details class="curl">
      <summary>{of === undefined ? 'The same with curl' : `“${of}” with curl`}</summary>
      <CopyBlock id={id} label="curl command" text={command} />
    </details>
  );
}
