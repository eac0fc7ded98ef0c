const fs = require('node:fs');
const { dirname, join } = require('node:path');
const { LaunchError } = require('../process/launch-error.cjs');
const { canEnter, postgresAccount } = require('./postgres-account.cjs');
const { temporaryPath } = require('../process/processes.cjs');
const { rootOwnedFolder } = require('./root-owned-folder.cjs');

/**
 * The paths of an embedded Postgres. Its folder contains the password, the log and the database. If root's Postgres
 * account cannot enter it (in a closed home), the database is under /var/lib/parley, and the file `data-folder` has
 * the path.
 */
function postgresFolder(path) {
  fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  const folder = fs.realpathSync(path);
  const inside = join(folder, 'data');
  const account = postgresAccount(inside);
  const parts = { account, data: inside, passwordFile: join(folder, 'password'), log: join(folder, 'log') };
  if (!account) return parts;

  for (const each of [dirname(folder), folder]) allowEntry(account, each);
  if (!fs.existsSync(inside)) {
    const external =
      findExternalFolder(folder) ??
      (canEnter(account, folder) ? null : createExternalFolder(account, folder));
    return external ? { ...parts, data: join(external, 'data') } : parts;
  }
  changeOwner(account, inside);
  if (canEnter(account, folder)) return parts;
  throw new LaunchError(
    `The owner of the database in ${inside} can no longer enter that folder. Check its permissions.`,
  );
}

/** Lets the account enter a folder that only root can enter. The files in it keep their owner. */
function allowEntry(account, folder) {
  const { uid, mode } = fs.statSync(folder);
  if (uid !== 0 || mode & 0o007) return;
  fs.chownSync(folder, 0, account.gid);
  fs.chmodSync(folder, 0o710);
}

/** If root copied the project, the copy belongs to root, but Postgres must own its data. */
function changeOwner(account, path) {
  const found = fs.lstatSync(path);
  if (found.uid !== 0) return;
  // The folder is changed last: if the call is interrupted, the next one starts again.
  if (found.isDirectory()) for (const name of fs.readdirSync(path)) changeOwner(account, join(path, name));
  fs.lchownSync(path, account.uid, account.gid);
}

/** The folder in the file `data-folder`; null if there is none, or if it belongs to another project. */
function findExternalFolder(folder) {
  const known = readText(join(folder, 'data-folder'));
  const user = known && readText(join(known, 'used-by'));
  if (!user) return null;
  if (user !== folder) {
    // The copy of a project does not get the original's database. A project that was moved keeps its database.
    if (readText(join(user, 'data-folder')) === known) return null;
    fs.writeFileSync(join(known, 'used-by'), folder);
  }
  return known;
}

function createExternalFolder(account, folder) {
  const created = fs.mkdtempSync(join(rootOwnedFolder(), 'data-'));
  fs.chownSync(created, 0, account.gid);
  fs.chmodSync(created, 0o710);
  fs.writeFileSync(join(created, 'used-by'), folder);
  const pointer = join(folder, 'data-folder');
  fs.writeFileSync(temporaryPath(pointer), created);
  fs.renameSync(temporaryPath(pointer), pointer);
  return created;
}

function readText(path) {
  try {
    return fs.readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

module.exports = { postgresFolder };
