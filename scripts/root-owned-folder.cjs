const { lstatSync, mkdirSync } = require('node:fs');
const { LaunchError } = require('./launch-error.cjs');

const path = '/var/lib/parley';

/** The folder for what root hands to Postgres when the project lies where only root can go. */
function rootOwnedFolder() {
  mkdirSync(path, { recursive: true, mode: 0o755 });
  const found = lstatSync(path);
  // Whoever else could write here could choose the program that Postgres is, or what is in the database.
  if (!found.isDirectory() || found.uid !== 0 || found.mode & 0o022) {
    throw new LaunchError(`${path} must be a folder that root owns and nobody else can write to.`);
  }
  return path;
}

module.exports = { rootOwnedFolder };
