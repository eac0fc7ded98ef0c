const { readFileSync, realpathSync, statSync } = require('node:fs');
const { dirname } = require('node:path');
const { LaunchError } = require('../process/launch-error.cjs');

/**
 * The account that runs Postgres, which refuses to run as root; null is the current user. Root runs it as the owner of
 * existing data, otherwise as `postgres` or `nobody`.
 */
function postgresAccount(dataFolder) {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(dataFolder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const found = accounts.find(([name]) => name === wanted);
    // On macOS, the id of `nobody` is written as -2.
    if (found) return { uid: Number(found[2]) >>> 0, gid: Number(found[3]) >>> 0 };
  }
  throw new LaunchError(
    'Postgres does not run as root, and this system has no user `postgres` or `nobody`. ' +
      'Start Parley as another user, or set DATABASE_URL to your own Postgres.',
  );
}

/** Whether the account can enter a folder and all its parents. */
function canEnter(account, folder) {
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    const { uid, gid, mode } = statSync(path);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if (!(mode & bit)) return false;
    if (path === dirname(path)) return true;
  }
}

module.exports = { postgresAccount, canEnter };
