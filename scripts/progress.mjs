/**
 * Says what takes a while, and how long it took; what is done in a moment passes unmentioned.
 * On stderr, since stdout belongs to the command's own output.
 */
export async function progress(what, work) {
  const began = Date.now();
  let announced = false;
  const timer = setTimeout(() => {
    announced = true;
    process.stderr.write(`${what} … `);
  }, 300);
  let outcome = 'failed';
  try {
    const result = await work();
    outcome = `done in ${((Date.now() - began) / 1000).toFixed(1)} s`;
    return result;
  } finally {
    clearTimeout(timer);
    if (announced) process.stderr.write(`${outcome}\n`);
  }
}
