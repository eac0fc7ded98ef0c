/**
 * Prints what is being done and how long it took, if it takes more than a moment. It prints to stderr, because stdout
 * is for the command's own output.
 */
export async function progress(what, work) {
  const startedAt = Date.now();
  let announced = false;
  const timer = setTimeout(() => {
    announced = true;
    process.stderr.write(`${what} … `);
  }, 300);
  let outcome = 'failed';
  try {
    const result = await work();
    outcome = `done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
    return result;
  } finally {
    clearTimeout(timer);
    if (announced) process.stderr.write(`${outcome}\n`);
  }
}
