const { readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const getFile = (dataFolder) => join(dataFolder, 'address');

/** Stores where the server of a data folder is, for commands that print links to it. */
const writeAddress = (dataFolder, url) => writeFileSync(getFile(dataFolder), `${url}\n`);

const removeAddress = (dataFolder) => rmSync(getFile(dataFolder), { force: true });

/** @returns undefined if no server runs */
function readAddress(dataFolder) {
  try {
    return readFileSync(getFile(dataFolder), 'utf8').trim() || undefined;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The server may have been started with another port than the default, which this command is not given. */
function usePublicUrl(dataFolder, environment) {
  const { PUBLIC_URL, PORT } = environment;
  const address = PUBLIC_URL || PORT ? undefined : readAddress(dataFolder);
  if (address) environment.PUBLIC_URL = address;
}

module.exports = { writeAddress, removeAddress, usePublicUrl };
