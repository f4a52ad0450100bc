import { type ComponentChildren } from 'preact';

/** An example of a component, with its name. */
export function Example({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <section class="example" aria-label={name}>
      <h3>{name}</h3>
      <div class="card">{children}</div>
    </section>
  );
}
