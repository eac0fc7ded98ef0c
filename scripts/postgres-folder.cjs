const {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
} = require('node:fs');
const { readdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { LaunchError } = require('./launch-error.cjs');
const { canEnter, postgresAccount } = require('./postgres-account.cjs');
const { unfinished } = require('./processes.cjs');
const { rootOwnedFolder } = require('./root-owned-folder.cjs');

/**
 * Where the parts of one embedded Postgres are. Its folder has the password and the log; the database is in there
 * too, unless root's Postgres account could not get at it (a project under a closed home): then it is in a folder of
 * its own under /var/lib/parley, and the file `data-folder` names that.
 */
function postgresFolder(path) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const folder = realpathSync(path);
  const inside = join(folder, 'data');
  const account = postgresAccount(inside);
  if (account) {
    for (const each of [dirname(folder), folder]) letIn(account, each);
    if (existsSync(inside)) handOver(account, inside);
  }
  const enterable = !account || canEnter(account, folder);
  if (!enterable && existsSync(inside)) {
    throw new LaunchError(
      `The user that owns the database in ${inside} can't get into that folder any more.`,
    );
  }
  return {
    account,
    data: enterable ? inside : join(folderElsewhere(folder, account), 'data'),
    password: join(folder, 'password'),
    log: join(folder, 'log'),
  };
}

/** Lets the account through a folder that only root could enter; what is in it stays root's. */
function letIn(account, folder) {
  const { uid, mode } = statSync(folder);
  if (uid !== 0 || mode & 0o077) return;
  chownSync(folder, 0, account.gid);
  chmodSync(folder, 0o710);
}

/** A copy that root made of the project belongs to root, and Postgres wants to own its data. */
function handOver(account, path) {
  const found = lstatSync(path);
  if (found.uid !== 0) return;
  lchownSync(path, account.uid, account.gid);
  if (found.isDirectory()) for (const name of readdirSync(path)) handOver(account, join(path, name));
}

function folderElsewhere(folder, account) {
  const pointer = join(folder, 'data-folder');
  const known = textOf(pointer);
  const user = known && textOf(join(known, 'used-by'));
  if (user === folder) return known;
  if (user && textOf(join(user, 'data-folder')) !== known) {
    // The project was moved: its former place does not know this database any more.
    writeFileSync(join(known, 'used-by'), folder);
    return known;
  }
  // None yet, or this is a copy of a project that uses `known` itself.
  const fresh = mkdtempSync(join(rootOwnedFolder(), 'data-'));
  chownSync(fresh, 0, account.gid);
  chmodSync(fresh, 0o710);
  writeFileSync(join(fresh, 'used-by'), folder);
  writeFileSync(unfinished(pointer), fresh);
  renameSync(unfinished(pointer), pointer);
  return fresh;
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

module.exports = { postgresFolder };
