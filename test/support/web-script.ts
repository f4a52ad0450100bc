/**
 * Runs a script of `src/web` with these globals, which stand for those of a browser. Returns a function that restores the
 * previous ones.
 */
export async function runScript(name: string, globals: Readonly<Record<string, unknown>>): Promise<() => void> {
  const before = Object.keys(globals).map((one) => [one, Object.getOwnPropertyDescriptor(globalThis, one)] as const);
  for (const [one, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, one, { value, configurable: true, writable: true });
  }
  await import(`../../src/web/${name}`);
  return () => {
    for (const [one, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, one, descriptor);
      else Reflect.deleteProperty(globalThis, one);
    }
  };
}
