/** Returns how many subscribers are sent a publication, as a sentence. */
export function recipientWords(count: number): string {
  if (count === 0) return 'Nobody has subscribed to the affected components.';
  return count === 1
    ? '1 subscriber of the affected components is notified.'
    : `${count} subscribers of the affected components are notified.`;
}

/** The sentence, which the steps of an editor replace. */
export function Recipients({ count }: { count: number }) {
  return <span data-swap="recipients">{recipientWords(count)}</span>;
}
