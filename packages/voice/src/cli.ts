#!/usr/bin/env node
import { createServer } from 'node:http';
import { createWorker } from '@parley/worker';
import { BrowserDoor } from './doors/browser/browser-door';
import { describeError } from './errors';
import { readSettings } from './runtime/settings';
import { voiceHandler } from './runtime/voice-runtime';
import { LocalSpeech } from './speech/local/local-speech';

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  for (const note of settings.notes) console.warn(note);
  const door = new BrowserDoor();
  const speech = new LocalSpeech();
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/healthz' ? 200 : 404;
    response.end();
  });
  server.on('upgrade', (request, socket, head) => {
    if (!door.upgrade(request, socket, head)) socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, resolve);
  });
  const worker = createWorker(
    {
      name: 'voice',
      capacity: settings.capacity,
      drainSeconds: settings.drainSeconds,
      handleSignals: true,
    },
    voiceHandler({
      door,
      speech,
      models: settings.models,
      publicUrl: settings.publicUrl,
      logger: console,
    }),
  );
  try {
    await worker.run();
  } finally {
    server.close();
    await speech.close();
  }
}

main().catch((error: unknown) => {
  console.error(describeError(error));
  process.exitCode = 1;
});
