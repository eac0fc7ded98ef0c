const [major, minor] = process.versions.node.split('.').map(Number);

// Imported before anything else, so that an old Node.js gets this sentence and not an error out of the middle of something.
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Parley needs Node.js 20.19 or later, and this is ${process.versions.node}: see https://nodejs.org/en/download`,
  );
  process.exit(1);
}
