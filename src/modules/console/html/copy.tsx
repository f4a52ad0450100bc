/** A text to take along. The button is shown by the script of the page, which is what copies. */
export function CopyBlock({ id, label, text }: { id: string; label: string; text: string }) {
  return (
    <div class="copy">
      <pre id={id} tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <button class="button plain" type="button" data-copy={id} hidden>
        Copy<span class="hidden"> {label}</span>
      </button>
    </div>
  );
}

/** How a program does what the form beside it does. */
export function WithCurl({ id, command }: { id: string; command: string }) {
  return (
    <details class="curl">
      <summary>The same with curl</summary>
      <CopyBlock id={id} label="curl command" text={command} />
    </details>
  );
}
