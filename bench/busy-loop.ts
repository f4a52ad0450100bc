/** Keeps one processor busy until its standard input ends, in slices short enough to notice the end. */
process.stdin.resume().on('end', () => process.exit(0));
process.stdout.write('busy\n');
const burn = (): void => {
  for (const until = performance.now() + 20; performance.now() < until;);
  setImmediate(burn);
};
burn();
