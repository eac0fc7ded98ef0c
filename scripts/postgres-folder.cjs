const fs = require('node:fs');
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
  fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  const folder = fs.realpathSync(path);
  const inside = join(folder, 'data');
  const account = postgresAccount(inside);
  const parts = { account, data: inside, passwordFile: join(folder, 'password'), log: join(folder, 'log') };
  if (!account) return parts;

  for (const each of [dirname(folder), folder]) letIn(account, each);
  if (!fs.existsSync(inside)) {
    const elsewhere =
      folderElsewhere(folder) ?? (canEnter(account, folder) ? null : makeFolderElsewhere(account, folder));
    return elsewhere ? { ...parts, data: join(elsewhere, 'data') } : parts;
  }
  handOver(account, inside);
  if (canEnter(account, folder)) return parts;
  throw new LaunchError(`The user that owns the database in ${inside} can't get into that folder any more.`);
}

/** Lets the account through a folder that only root could enter; what is in it stays root's. */
function letIn(account, folder) {
  const { uid, mode } = fs.statSync(folder);
  if (uid !== 0 || mode & 0o007) return;
  fs.chownSync(folder, 0, account.gid);
  fs.chmodSync(folder, 0o710);
}

/** A copy that root made of the project belongs to root, and Postgres wants to own its data. */
function handOver(account, path) {
  const found = fs.lstatSync(path);
  if (found.uid !== 0) return;
  // The folder itself last: while it is root's, an interrupted call begins again.
  if (found.isDirectory()) for (const name of fs.readdirSync(path)) handOver(account, join(path, name));
  fs.lchownSync(path, account.uid, account.gid);
}

/** The folder that the file `data-folder` names; null when there is none, or when it is another project's. */
function folderElsewhere(folder) {
  const known = textOf(join(folder, 'data-folder'));
  const user = known && textOf(join(known, 'used-by'));
  if (!user) return null;
  if (user !== folder) {
    // A project that was copied leaves the database to the first one; one that was moved takes it along.
    if (textOf(join(user, 'data-folder')) === known) return null;
    fs.writeFileSync(join(known, 'used-by'), folder);
  }
  return known;
}

function makeFolderElsewhere(account, folder) {
  const made = fs.mkdtempSync(join(rootOwnedFolder(), 'data-'));
  fs.chownSync(made, 0, account.gid);
  fs.chmodSync(made, 0o710);
  fs.writeFileSync(join(made, 'used-by'), folder);
  const pointer = join(folder, 'data-folder');
  fs.writeFileSync(unfinished(pointer), made);
  fs.renameSync(unfinished(pointer), pointer);
  return made;
}

function textOf(path) {
  try {
    return fs.readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

module.exports = { postgresFolder };
