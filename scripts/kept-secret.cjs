const { randomBytes } = require('node:crypto');
const { linkSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { removeLeftovers, unfinished } = require('./processes.cjs');

/** The secret that a file keeps; made on first use, and the same for everybody who asks at once. */
function keptSecret(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  removeLeftovers(path);
  const prepared = unfinished(path);
  writeFileSync(prepared, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 });
  try {
    // A link appears whole and never replaces another's, which neither writing nor renaming could promise.
    linkSync(prepared, path);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(prepared);
  }
  return readFileSync(path, 'utf8').trim();
}

module.exports = { keptSecret };
