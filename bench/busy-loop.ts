/** Takes a processor until its standard input ends, in slices short enough to notice that. */
process.stdin.resume().on('end', () => process.exit(0));
process.stdout.write('busy\n');
const burn = (): void => {
  for (const until = performance.now() + 20; performance.now() < until;);
  setImmediate(burn);
};
burn();
