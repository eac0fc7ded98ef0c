const { once } = require('node:events');
const { createServer } = require('node:net');

/** Different free ports of 127.0.0.1. Another program may take one before it is used. */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

module.exports = { freePorts };
