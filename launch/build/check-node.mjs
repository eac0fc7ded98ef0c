const [major, minor] = process.versions.node.split('.').map(Number);

// This module is imported first, so that an old Node.js prints this message and not an error from a later module.
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Parley needs Node.js 20.19 or later. This is Node.js ${process.versions.node}. See https://nodejs.org/en/download`,
  );
  process.exit(1);
}
