const { randomBytes } = require('node:crypto');
const { linkSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { removeStaleFiles, temporaryPath } = require('./processes.cjs');

/** Reads the secret in a file. Creates it on first use; concurrent callers get the same secret. */
function readOrCreateSecret(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  removeStaleFiles(path);
  const temporary = temporaryPath(path);
  writeFileSync(temporary, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 });
  try {
    // A hard link appears complete and never replaces an existing file; a write or a rename could.
    linkSync(temporary, path);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary);
  }
  return readFileSync(path, 'utf8').trim();
}

module.exports = { readOrCreateSecret };
