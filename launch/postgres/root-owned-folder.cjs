const { lstatSync, mkdirSync } = require('node:fs');
const { LaunchError } = require('../process/launch-error.cjs');

const path = '/var/lib/parley';

/** The folder for Postgres files if root starts Parley in a folder that only root can enter. */
function rootOwnedFolder() {
  mkdirSync(path, { recursive: true, mode: 0o755 });
  const found = lstatSync(path);
  // Another user with write permission could replace the Postgres program or the database.
  if (!found.isDirectory() || found.uid !== 0 || found.mode & 0o022) {
    throw new LaunchError(`${path} must be a folder that belongs to root and that only root can write to.`);
  }
  return path;
}

module.exports = { rootOwnedFolder };
