/** Runs a suite with its command-line options. A wrong option prints the usage and ends the process with 2. */
export function runSuite<Options>(
  usage: string,
  readOptions: () => Options,
  run: (options: Options) => Promise<void>,
): void {
  let options: Options;
  try {
    options = readOptions();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
  void run(options);
}

/** @returns the names given with --only, otherwise all of them */
export function selectNames(only: string[] | undefined, known: string[]): string[] {
  const unknown = only?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--only: "${unknown}" does not exist.`);
  return only ?? known;
}
